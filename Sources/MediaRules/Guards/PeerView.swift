import BaseKit

/// The size at which a program shows a picture of its peer, told beside its reports: an application-defined RTCP packet (RFC 3550 §6.7).
///
/// Only programs that announce that they understand it are told (``PeerDescription/takesView``).
package struct PeerView: Sendable, Equatable {
    /// What is shown, by the packet's subtype. Versions that know of the camera alone pass over the screen's.
    package enum Subject: UInt8, Sendable, CaseIterable {
        case camera = 1
        /// The screen that is shared beside the camera, whole, also where only a part of it is seen.
        case screen = 2
    }

    /// In pixels of the screen.
    package var size: PictureSize
    package var subject: Subject

    package init(_ size: PictureSize, of subject: Subject = .camera) { (self.size, self.subject) = (size, subject) }

    private static func packet(_ subject: Subject) -> ApplicationPacket {
        ApplicationPacket(name: Array("PRLV".utf8), bodyLength: 4, subtype: subject.rawValue)
    }

    /// Reads one packet of a compound; nil when it is another, or none at all.
    package init?(_ packet: UnsafeRawBufferPointer) {
        guard let subject = Subject.allCases.first(where: { Self.packet($0).matches(packet) }) else { return nil }
        self.subject = subject
        let start = ApplicationPacket.bodyStart
        let size = PictureSize(width: packet.half(at: start), height: packet.half(at: start + 2))
        guard size.width > 0, size.height > 0 else { return nil }
        self.size = size
    }

    /// A compound with this behind it, said by the source that the compound begins with. One that is none stays as it is.
    package func appended(to compound: UnsafeRawBufferPointer) -> [UInt8] {
        let numbers = [size.width, size.height].map { UInt16(clamping: max($0, 1)) }
        return Self.packet(subject).appended(numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, to: compound)
    }
}

/// When the size is to be told: at once when it has changed, not too often, and again as a packet may be lost.
package struct PeerViewNews: Sendable, Equatable {
    /// The shortest time between two that differ, and the time after which the same is told again.
    static let pause: Duration = .milliseconds(500), again: Duration = .seconds(5)

    /// What it is about.
    package let subject: PeerView.Subject
    private var size: PictureSize?
    private var told: Told?

    private struct Told: Sendable, Equatable {
        var size: PictureSize
        var at: Instant
    }

    /// Nothing is shown of it yet.
    package init(of subject: PeerView.Subject = .camera) { self.subject = subject }

    /// It is shown in this size from now on.
    package mutating func shows(_ size: PictureSize?) { self.size = size }

    /// What to tell now; nil: nothing.
    package mutating func next(now: Instant) -> PeerView? {
        guard let size else { return nil }
        if let told, now - told.at < (told.size == size ? Self.again : Self.pause) { return nil }
        told = Told(size: size, at: now)
        return PeerView(size, of: subject)
    }
}
