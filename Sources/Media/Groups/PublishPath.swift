import BaseKit
import MediaRules

/// The way of our own media to a room: one transport that only sends. Belongs to the session's actor.
final class PublishPath {
    let transport: Transport
    let counters: MediaCounters
    private let sending: MeshSenders
    private var hearing = ServerHearing()
    private var largest: PictureSize?
    /// Milliseconds to the server and back; nil while that is not known.
    private(set) var roundTrip: Int?
    private var readAt: Instant?
    /// The time between two looks at it.
    private static let interval: Duration = .seconds(2)

    /// Makes it, and starts it. Throws ``MediaError``.
    init(
        _ surroundings: MeshPath.Surroundings, read: @escaping @Sendable (TransportSignal) async -> Void
    ) throws(MediaError) {
        var options = surroundings.options
        options.use = .publishing
        counters = MediaCounters(addingTo: surroundings.total)
        sending = MeshSenders(encoders: surroundings.encoders, counters: counters, takesAll: true)
        transport = try Transport(
            number: 0, options, servers: surroundings.servers, protection: .group { _ in NoFrames() },
            total: counters, outlets: ReceiveChains.Outlets(), senders: sending)
        transport.start(onTimeOf: surroundings.timeline)
        let stream = transport.signals.stream
        transport.reader = Task { for await signal in stream { await read(signal) } }
    }

    /// Whether frames go to the server.
    var isVerified: Bool { transport.isVerified }
    /// Bits a second that may be sent.
    var bitrate: Int? { sending.bitrate }

    /// The server is the one that it says it is: it carries from here on.
    func carry() {
        transport.carry()
        sending.setView(largest)
        sending.open()
    }

    /// No larger pictures are made for it: the server does not say at which size anybody shows them.
    func setLargest(_ size: PictureSize) {
        largest = size
        if isVerified { sending.setView(size) }
    }

    /// Looks whether the server is heard; gives whether it is lost, when that has changed.
    func look(now: Instant) -> Bool? {
        let isLost = hearing.update(sent: counters.sent.frames, packets: counters.packets, now: now)
        if let isLost { sending.setHeard(!isLost) }
        return isLost
    }

    /// Whether the way to the server is broken.
    var isBroken: Bool { hearing.isBroken }

    /// Follows the link.
    func tune() {
        if let bitrate { transport.follow(rate: bitrate) }
        guard Instant.now.isAfter(readAt, by: Self.interval) else { return }
        readAt = .now
        roundTrip = transport.takeLinkReport()?.roundTrip ?? roundTrip
    }

    /// Stops all; gives what is left to be done where it may block.
    func stop() -> @Sendable () -> Void { transport.retire() }
}

/// Opens nothing: where nothing is to come.
private struct NoFrames: FrameOpening {
    func open(_ frame: UnsafeRawBufferPointer, into place: UnsafeMutableRawBufferPointer) -> FrameOpeningOutcome {
        .refused
    }
}
