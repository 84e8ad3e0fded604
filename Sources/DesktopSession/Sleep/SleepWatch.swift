import Logging
import Portal

/// What the machine's sleep means to a program.
public enum SleepNews: Sendable {
    /// It is about to sleep, and waits for this to be let go (5 s at most, as logind is set up).
    case begins(SleepDelay)
    /// It has woken up.
    case over
}

/// Holds up the machine's sleep until the last reference goes.
public final class SleepDelay: Sendable {
    private let descriptor: FileDescriptor?

    init(_ descriptor: FileDescriptor?) { self.descriptor = descriptor }
}

/// Hears from logind when the machine goes to sleep, in time to do something before (org.freedesktop.login1, "Inhibitor Locks").
///
/// It delays sleep and never forbids it: whoever chooses "Suspend" means it.
public actor SleepWatch {
    private static let name = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let interface = "org.freedesktop.login1.Manager"
    /// How long logind may take to answer, in ms.
    private static let patience: Int32 = 5_000

    /// What happens, in order, for one listener. It ends when the bus goes.
    public nonisolated let news: AsyncStream<SleepNews>

    private let bus: Bus
    private let application: String
    private let reason: String
    private let log = Logger(label: "session.sleep")
    private let tell: AsyncStream<SleepNews>.Continuation
    private var delay: FileDescriptor?
    private var listening: Task<Void, Never>?

    /// - Parameters:
    ///   - bus: the system's bus.
    ///   - application: who delays sleep, as logind lists it.
    ///   - reason: what for, as logind lists it.
    public init(bus: Bus, application: String, reason: String) {
        self.bus = bus
        self.application = application
        self.reason = reason
        (news, tell) = AsyncStream.makeStream()
    }

    deinit {
        listening?.cancel()
        tell.finish()
    }

    /// Listens from the moment this returns; no logind is no error, it may come.
    ///
    /// - Throws: ``PortalError``.
    public func start() async throws(PortalError) {
        guard listening == nil else { return }
        let signals = try await bus.signals(
            BusSignalFilter(path: Self.path, interface: Self.interface, name: "PrepareForSleep"))
        listening = Task { [weak self] in
            for await signal in signals { await self?.receive(signal) }
            self?.tell.finish()
        }
        await takeDelay()
    }

    private func receive(_ signal: BusSignal) async {
        // Anybody may emit signals.
        guard let owner = try? await bus.owner(of: Self.name), owner == signal.sender,
            let begins = signal.values.first?.bool
        else { return }
        if begins {
            tell.yield(.begins(SleepDelay(delay)))
            delay = nil
        } else {
            await takeDelay()
            tell.yield(.over)
        }
    }

    private func takeDelay() async {
        do {
            let reply = try await bus.call(
                BusMethod(destination: Self.name, path: Self.path, interface: Self.interface, name: "Inhibit"),
                [.string("sleep"), .string(application), .string(reason), .string("delay")], timeout: Self.patience)
            delay = reply.descriptors.first
        } catch {
            log.debug("sleep can't be delayed: \(error)")
        }
    }
}
