import BaseKit
import Glibc
import Logging
import RelayRules
import SMP

// What a relay does now and then without being asked.
extension RelayServer {
    /// Queues that are looked at and messages that are dropped before others have their turn.
    private static let sweepSlice = 500

    /// Has it done from now on, when there is something to do.
    func startHousekeeping() {
        service.housekeeper.start { [service, configuration] duties in
            var rest = HousekeepingPlan.Rest()
            if duties.sweeps {
                Self.sweep(service, lifetime: configuration.messageLifetime.components.seconds, configuration.logger)
            }
            if duties.tidies { rest.next = Self.tidy(service, configuration) }
            rest.isKeeping = service.core.withStore { $0.isKeeping }
            return rest
        }
    }

    /// Half of a time limit, so that nothing is later than half as long again, within bounds.
    static func interval(_ limit: Duration, atMost most: Duration) -> Duration {
        min(most, max(.milliseconds(50), limit / 2))
    }

    /// - Returns: when to do it again though nothing has changed by then; nil for not at all.
    private static func tidy(_ service: RelayService, _ configuration: RelayConfiguration) -> Instant? {
        let core = service.core
        // The log is emptied of what is written here, too.
        core.writer.whenWritten(core.saveAge()) {
            core.writer.tidy { isDone in if !isDone { service.housekeeper.changed() } }
        }
        FreeMemory.giveBack()
        let now = Instant.now
        let forgetting = service.tidy().map { max($0, now + configuration.tidyInterval) }
        guard let timeout = configuration.idleTimeout else { return forgetting }
        let (closed, next) = service.closeIdle(after: timeout)
        core.counters.add { $0.idle += UInt64(closed) }
        let closing = next.map { max($0, now + interval(timeout, atMost: configuration.tidyInterval)) }
        return [forgetting, closing].compactMap(\.self).min()
    }

    /// Drops messages and notifications that are too old.
    private static func sweep(_ service: RelayService, lifetime: Int64, _ logger: Logger) {
        let core = service.core
        let now = core.age?.now ?? Int64(time(nil))
        var walk = core.withStore { ExpiryWalk($0) }
        var dropped = 0
        while !walk.isOver {
            let step = walk
            let (count, next, position) = core.withStore { store in
                var walk = step
                let count = store.expire(
                    before: now - lifetime, notificationsBefore: now - NotifierDesk.lifetime, &walk, steps: sweepSlice)
                return (count, walk, store.journal.position)
            }
            (dropped, walk) = (dropped + count, next)
            if count > 0 { core.writer.note(position) }
        }
        guard dropped > 0 else { return }
        service.housekeeper.changed()
        core.counters.add { $0.expired += UInt64(dropped) }
        logger.info("Messages expired", metadata: ["count": "\(dropped)"])
    }
}

/// Memory that was used and is free now.
private enum FreeMemory {
    /// malloc_trim(3), which Swift's module of the C library leaves out.
    private static let trim = dlsym(nil, "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
    }

    /// Gives back to the system what a burst of work took.
    static func giveBack() { _ = trim?(0) }
}
