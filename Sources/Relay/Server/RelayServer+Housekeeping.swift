import Glibc
import Logging
import RelayRules
import SMP

// What a relay does now and then without being asked.
extension RelayServer {
    /// How often what the disk still holds of deleted messages is overwritten.
    private static let tidyInterval = Duration.seconds(60)

    /// Queues that are looked at and messages that are dropped before others have their turn.
    private static let sweepSlice = 500

    /// Starts the tasks; they end when they are cancelled.
    func startHousekeeping() -> [Task<Void, Never>] {
        let core = service.core
        let lifetime = configuration.messageLifetime
        var tasks = [
            Self.every(Self.interval(lifetime, atMost: configuration.expiryInterval)) {
                [logger = configuration.logger] in
                Self.sweep(core, lifetime: lifetime.components.seconds, logger)
            },
            Self.every(Self.tidyInterval) { [service] in
                core.saveAge()
                core.writer.tidy()
                service.tidy()
                FreeMemory.giveBack()
            },
        ]
        if let timeout = configuration.idleTimeout {
            tasks.append(
                Self.every(Self.interval(timeout, atMost: .seconds(60))) { [service] in
                    let closed = service.closeIdle(after: timeout)
                    core.counters.add { $0.idle += UInt64(closed) }
                })
        }
        return tasks
    }

    /// Half of a time limit, so that nothing is later than half as long again, within bounds.
    private static func interval(_ limit: Duration, atMost most: Duration) -> Duration {
        min(most, max(.milliseconds(50), limit / 2))
    }

    private static func every(_ interval: Duration, _ body: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        Task { while (try? await Task.sleep(for: interval)) != nil { body() } }
    }

    /// Drops messages and notifications that are too old.
    private static func sweep(_ core: RelayCore, lifetime: Int64, _ logger: Logger) {
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
