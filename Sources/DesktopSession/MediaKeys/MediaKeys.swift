import BaseKit
import Glibc
import Logging
import Portal

/// Lets the keyboard's and a headset's media keys reach a call: while there is one, it stands on the session bus as a player.
///
/// Desktops give these keys to the player that came last, or that plays. So other players are to be paused first
/// (``PlayerPause``), which leaves this one alone. On a bus connection of its own, which is closed when the call is over.
public actor MediaKeys {
    /// The name on the bus; with `.instance` and a number behind it for further programs of this kind.
    static let name = "org.mpris.MediaPlayer2.parley"

    /// Whether a name on the bus is that of a call.
    static func isOwn(_ name: String) -> Bool { name == Self.name || name.hasPrefix(Self.name + ".instance") }

    /// What the person wants, in order, for one listener. Each names its call: it may be over when this is read.
    public nonisolated let wishes: AsyncStream<MediaKeysWish>

    private let identity: String
    private let desktopEntry: String
    private let openBus: @Sendable () async throws(PortalError) -> Bus
    private let shared: Shared
    private let log = Logger(label: "session.mediakeys")
    private var wanted: MediaKeysCall?
    private var told: MediaKeysCall?
    private var bus: Bus?
    private var working: Task<Void, Never>?

    /// What the bus's thread asks while a call comes in.
    private final class Shared: Sendable {
        let machine = Lock(MediaKeysMachine())
        let now: @Sendable () -> Instant
        let tell: AsyncStream<MediaKeysWish>.Continuation

        init(_ now: @escaping @Sendable () -> Instant, _ tell: AsyncStream<MediaKeysWish>.Continuation) {
            self.now = now
            self.tell = tell
        }
    }

    /// Prepares it; nothing is on the bus yet.
    /// - Parameters:
    ///   - identity: the program's name for people.
    ///   - desktopEntry: the name of its desktop entry, without `.desktop`.
    ///   - now: the machine's clock.
    ///   - openBus: the session bus; each call has a connection of its own.
    public init(
        identity: String, desktopEntry: String, now: @escaping @Sendable () -> Instant = { .now },
        openBus: @escaping @Sendable () async throws(PortalError) -> Bus = { () async throws(PortalError) in
            try await Bus.session()
        }
    ) {
        self.identity = identity
        self.desktopEntry = desktopEntry
        self.openBus = openBus
        // Whoever floods it with keys fills no memory.
        let (wishes, tell) = AsyncStream<MediaKeysWish>.makeStream(bufferingPolicy: .bufferingNewest(16))
        self.wishes = wishes
        shared = Shared(now, tell)
    }

    deinit { shared.tell.finish() }

    /// Says which call the keys are for, or how it is by now; nil when there is none. Returns once the bus knows.
    public func set(_ call: MediaKeysCall?) async {
        wanted = call
        shared.machine.withLock { $0.set(call, at: shared.now()) }
        if working == nil { working = Task { await work() } }
        await working?.value
    }

    private func work() async {
        while told != wanted {
            let before = told
            told = wanted
            if let call = wanted {
                if bus == nil || before == nil { await export() } else { tellChange(to: call) }
            } else {
                await bus?.close()
                bus = nil
            }
        }
        working = nil
    }

    private func export() async {
        do {
            let bus = try await openBus()
            bus.serve { [shared, identity, desktopEntry] call in
                Self.answer(call, shared, identity: identity, desktopEntry: desktopEntry)
            }
            self.bus = bus
            // Its connection may have ended; then the next call has another.
            if try await !bus.own(Self.name) { try await bus.own("\(Self.name).instance\(getpid())") }
        } catch {
            log.debug("media keys can't be had: \(error)")
            bus = nil
        }
    }

    private func tellChange(to call: MediaKeysCall) {
        let object = MediaPlayerObject(identity: identity, desktopEntry: desktopEntry, call: call)
        try? bus?.emit(
            path: MediaPlayerObject.path, interface: BusInterface.propertiesName, name: "PropertiesChanged",
            [.string(BusInterface.mediaPlayerKeys.name), .dictionary(object.changing), .array([], of: "s")])
    }

    /// Answers whoever asks; on the bus's thread.
    private static func answer(_ call: BusCall, _ shared: Shared, identity: String, desktopEntry: String) {
        guard let played = shared.machine.withLock({ $0.call }) else {
            let failure = BusFailure.unknownObject(call.path)
            return call.refuse(failure.name, failure.message)
        }
        let object = MediaPlayerObject(identity: identity, desktopEntry: desktopEntry, call: played)
        do throws(BusFailure) {
            switch try object.answer(MethodCall(call)) {
            case .values(let values): call.answer(values)
            case .key(let key):
                if let wish = shared.machine.withLock({ $0.press(key, at: shared.now()) }) { shared.tell.yield(wish) }
                call.answer()
            }
        } catch {
            call.refuse(error.name, error.message)
        }
    }
}
