import BaseKit
import Cryptography
import MediaRules

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

    /// The time that the first frame waits for the peer's certificate to be verified.
    ///
    /// One side knows the channel to stand before the other does, and its first frame is a key frame: dropped, it would have
    /// to be asked for again, and encoders keep key frames apart. What waits is still sealed.
    static let patience: Duration = .seconds(1)

    private let state: Lock<State>
    /// Released once the certificate has been verified, or never will be.
    private let verdict = OpeningLatch()

    init(_ encryption: FrameEncryption) {
        state = Lock(State(encryption: encryption))
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
///
/// The gate is the transport's; the cipher is made of the key that the gate has, or knows its keys itself.
struct FrameProtector<Cipher> {
    /// Where the cipher comes from.
    private enum Supply {
        /// Made anew for each key of the call.
        case key((SecretBytes) -> Cipher?)
        case own(Cipher)
    }

    private let protection: FrameProtection
    private let supply: Supply
    private var cipher: Cipher?
    private var generation: Int?
    private var hasWaited = false

    /// For the frames of a call of two, whose key `protection` has.
    init(protection: FrameProtection, cipher make: @escaping (SecretBytes) -> Cipher?) {
        (self.protection, supply) = (protection, .key(make))
    }

    /// For frames whose keys `cipher` knows, behind a gate.
    init(gate: FrameProtection, cipher: Cipher) {
        (protection, supply) = (gate, .own(cipher))
    }

    /// How a frame is to be handled.
    enum Treatment {
        case drop, passThrough
        case cipher(Cipher)
        /// The call is on hold: the frame is not looked at.
        case passOver
    }

    /// How a received frame is to be handled; blocks the first one until the certificate is verified.
    mutating func treatmentOnArrival() -> Treatment {
        if !hasWaited {
            hasWaited = true
            if case .key = supply, case .undecided = protection.current.encryption { return .drop }
            _ = protection.awaitVerdict(within: FrameProtection.patience)
        }
        let treatment = treatment()
        if case .drop = treatment { return .drop }
        return protection.current.isHeld ? .passOver : treatment
    }

    /// How a frame is to be handled now.
    mutating func treatment() -> Treatment {
        let state = protection.current
        guard state.isOpen else { return .drop }
        switch (supply, state.encryption) {
        case (.own(let cipher), _): return .cipher(cipher)
        case (.key, .undecided): return .drop
        case (.key, .none): return .passThrough
        case (.key(let make), .aes256GCM(let key)):
            if generation != state.generation {
                generation = state.generation
                cipher = make(key)
            }
            return cipher.map { .cipher($0) } ?? .drop
        }
    }
}
