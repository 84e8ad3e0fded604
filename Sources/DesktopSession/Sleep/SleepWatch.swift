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
/// It delays sleep and never forbids it: whoever chooses "Suspend" means it. A logind that comes later, or again, is asked for the delay, too,
/// and a bus that goes is looked for again.
public actor SleepWatch {
    /// Opens the machine's bus.
    public typealias OpenBus = @Sendable () async throws(PortalError) -> Bus

    private static let name = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let interface = "org.freedesktop.login1.Manager"
    /// How long logind may take to answer, in ms.
    private static let patience: Int32 = 5_000
    /// How long is waited before each attempt to find the bus again, after which nobody wakes up for it any more.
    private static let pauses = (0..<9).map { Duration.seconds(1 << $0) }

    /// What happens, in order, for one listener. It ends when the bus goes and does not come back.
    public nonisolated let news: AsyncStream<SleepNews>

    private let openBus: OpenBus
    private let application: String
    private let reason: String
    private let log = Logger(label: "session.sleep")
    private let tell: AsyncStream<SleepNews>.Continuation
    private var bus: Bus?
    private var delay: FileDescriptor?
    private var listening: Task<Void, Never>?

    /// - Parameters:
    ///   - application: who delays sleep, as logind lists it.
    ///   - reason: what for, as logind lists it.
    ///   - openBus: opens the system's bus.
    public init(
        application: String, reason: String,
        openBus: @escaping OpenBus = { () async throws(PortalError) in try await Bus.system() }
    ) {
        self.application = application
        self.reason = reason
        self.openBus = openBus
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
        let first = try await listen()
        listening = Task { [weak self] in
            var signals = first
            while true {
                for await signal in signals { await self?.receive(signal) }
                guard let next = await Self.again({ try? await self?.listen() }) else { break }
                signals = next
                // Nobody knows whether it has slept meanwhile.
                self?.tell.yield(.over)
            }
            self?.tell.finish()
        }
    }

    /// Finds the bus again.
    private static func again(_ listen: () async -> AsyncStream<BusSignal>?) async -> AsyncStream<BusSignal>? {
        for pause in pauses {
            try? await Task.sleep(for: pause)
            guard !Task.isCancelled else { return nil }
            if let signals = await listen() { return signals }
        }
        return nil
    }

    private func listen() async throws(PortalError) -> AsyncStream<BusSignal> {
        let bus = try await openBus()
        let signals = try await bus.signals(ofAny: [
            BusSignalFilter(path: Self.path, interface: Self.interface, name: "PrepareForSleep"),
            BusSignalFilter(
                sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", name: "NameOwnerChanged",
                firstText: Self.name),
        ])
        self.bus = bus
        await takeDelay()
        return signals
    }

    private func receive(_ signal: BusSignal) async {
        guard signal.name == "PrepareForSleep" else {
            // A logind that begins knows nothing of who waits for it.
            if signal.values.last?.string?.isEmpty == false { await takeDelay() }
            return
        }
        // Anybody may emit signals.
        guard let owner = try? await bus?.owner(of: Self.name), owner == signal.sender,
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
            let reply = try await bus?.call(
                BusMethod(destination: Self.name, path: Self.path, interface: Self.interface, name: "Inhibit"),
                [.string("sleep"), .string(application), .string(reason), .string("delay")], timeout: Self.patience)
            delay = reply?.descriptors.first
        } catch {
            log.debug("sleep can't be delayed: \(error)")
        }
    }
}
