import Cryptography
import MediaRules
import Synchronization

/// What the frame elements of one call ask before they touch a frame. Closed until the peer's certificate is verified.
final class FrameProtection: Sendable {
    /// What to do with a frame now; a new `generation` means a new key.
    struct State: Sendable {
        var encryption: FrameEncryption
        var isOpen = false
        /// Whether received frames are passed over: the call is on hold.
        var isHeld = false
        var generation = 0
    }

    private let state: Mutex<State>
    /// Released once the certificate has been verified, or never will be.
    private let verdict = OpeningLatch()

    init(_ encryption: FrameEncryption) {
        state = Mutex(State(encryption: encryption))
    }

    var current: State { state.withLock { $0 } }

    func set(_ encryption: FrameEncryption) {
        state.withLock {
            $0.encryption = encryption
            $0.generation += 1
        }
    }

    /// Passes over what is received, or no longer.
    func setHeld(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

    /// Lets frames through, both ways.
    func open() {
        state.withLock { $0.isOpen = true }
        verdict.release()
    }

    /// Stops all frames, both ways.
    func close() {
        state.withLock { $0.isOpen = false }
        verdict.release()
    }

    /// Blocks until the certificate has been verified or has failed to be, at most so long; false when that time is
    /// over. On a streaming thread.
    func awaitVerdict(within time: Duration) -> Bool { verdict.wait(within: time) }
}

/// Applies the protection of a call to the frames of one element. One streaming thread at a time.
struct FrameProtector {
    private let protection: FrameProtection
    private let kind: FrameKind
    private var cipher: FrameCipher?
    private var generation: Int?
    private var hasWaited = false

    init(protection: FrameProtection, kind: FrameKind) {
        self.protection = protection
        self.kind = kind
    }

    /// How a frame is to be handled.
    enum Treatment {
        case drop, passThrough
        case cipher(FrameCipher)
        /// The call is on hold: the frame is not looked at.
        case passOver
    }

    /// The time that the first frame waits for the peer's certificate to be verified.
    ///
    /// One side knows the channel to stand before the other does, and its first frame is a key frame: dropped, it would have
    /// to be asked for again, and encoders keep key frames apart. What waits is still sealed.
    static let patience: Duration = .seconds(1)

    /// How a received frame is to be handled; blocks the first one until the certificate is verified.
    mutating func treatmentOnArrival() -> Treatment {
        if !hasWaited {
            hasWaited = true
            if case .undecided = protection.current.encryption { return .drop }
            _ = protection.awaitVerdict(within: Self.patience)
        }
        let treatment = treatment()
        if case .drop = treatment { return .drop }
        return protection.current.isHeld ? .passOver : treatment
    }

    /// How a frame is to be handled now.
    mutating func treatment() -> Treatment {
        let state = protection.current
        guard state.isOpen else { return .drop }
        switch state.encryption {
        case .undecided: return .drop
        case .none: return .passThrough
        case .aes256GCM(let key):
            if generation != state.generation {
                generation = state.generation
                cipher = try? FrameCipher(key: key)
            }
            return cipher.map { .cipher($0) } ?? .drop
        }
    }
}
