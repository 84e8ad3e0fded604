import Cryptography
import MediaRules

/// Seals the frames of one element, on one streaming thread at a time.
protocol FrameSealing {
    /// Writes the sealed form of a frame to the beginning of `place`, which has ``FrameTransform/room`` bytes more than the frame;
    /// gives how many bytes that are, or nil when it can't be sealed.
    func seal(_ frame: UnsafeRawBufferPointer, into place: UnsafeMutableRawBufferPointer) -> Int?
}

/// Opens the frames of one element, on one streaming thread at a time.
protocol FrameOpening {
    /// Writes the plain form of a frame to the beginning of `place`, which has as many bytes as the frame.
    func open(_ frame: UnsafeRawBufferPointer, into place: UnsafeMutableRawBufferPointer) -> FrameOpeningOutcome
}

/// What became of a received frame.
enum FrameOpeningOutcome: Sendable, Equatable {
    /// Its plain form has so many bytes.
    case opened(Int)
    /// The same; what it is of its member's stream says where it belongs, behind this.
    case placed(Int, FramePlace)
    /// It has come before: nothing is missing.
    case repeated
    case refused
}

/// The cipher of a call of two, for one element.
struct CallFrameCipher: FrameSealing, FrameOpening {
    private let cipher: FrameCipher
    private let kind: FrameKind

    /// Nil for a key that is none.
    init?(key: SecretBytes, kind: FrameKind) {
        guard let cipher = try? FrameCipher(key: key) else { return nil }
        (self.cipher, self.kind) = (cipher, kind)
    }

    func seal(_ frame: UnsafeRawBufferPointer, into place: UnsafeMutableRawBufferPointer) -> Int? {
        let count = frame.count + FrameCipher.overhead
        guard count <= place.count else { return nil }
        let place = UnsafeMutableRawBufferPointer(rebasing: place.prefix(count))
        return (try? cipher.encrypt(frame, kind: kind, into: place)) != nil ? count : nil
    }

    func open(_ frame: UnsafeRawBufferPointer, into place: UnsafeMutableRawBufferPointer) -> FrameOpeningOutcome {
        guard let count = try? FrameCipher.decryptedCount(frame, kind: kind), count <= place.count else {
            return .refused
        }
        let place = UnsafeMutableRawBufferPointer(rebasing: place.prefix(count))
        return (try? cipher.decrypt(frame, kind: kind, into: place)) != nil ? .opened(count) : .refused
    }
}
