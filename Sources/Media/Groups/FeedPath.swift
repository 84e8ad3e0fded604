import BaseKit
import MediaRules

/// The way of one member's media from a room: a transport of its own, with one offer and one answer, that only receives. Belongs to the
/// session's actor.
///
/// Of several feeds in one connection Janus 1.1.2 and webrtcbin lose track when feeds go: so each has its own, which is freed as a whole.
final class FeedPath {
    let feed: FeedID
    let member: UInt8
    let transport: Transport
    let counters: MediaCounters
    private var hearing = FeedHearing()
    private var proof = FeedProof()
    private var media = PeerMediaWatch()
    private var link: LinkWatch
    private var arrivals = WayDownRate()
    private let speaker: Shared<AudioPlayout?>

    /// Makes it, and starts it. Throws ``MediaError``.
    init(
        _ feed: FeedID, of member: UInt8, feeds: MemberFeeds, _ surroundings: MeshPath.Surroundings,
        read: @escaping @Sendable (TransportSignal) async -> Void
    ) throws(MediaError) {
        (self.feed, self.member) = (feed, member)
        speaker = surroundings.playout
        var options = surroundings.options
        options.use = .feed
        counters = MediaCounters(addingTo: surroundings.total)
        link = LinkWatch(shortest: options.jitterLatency)
        let way = GroupWays.next()
        transport = try Transport(
            number: 0, options, servers: surroundings.servers,
            protection: .group { [keys = surroundings.keys] slot in
                GroupFrameOpener(keys: keys, member: member, slot: slot, way: way)
            }, total: counters, outlets: feeds.outlets(of: member, way: way, speaker: surroundings.playout),
            senders: NoSenders())
        transport.start(onTimeOf: surroundings.timeline)
        let stream = transport.signals.stream
        transport.reader = Task { for await signal in stream { await read(signal) } }
    }

    /// Whether the member is heard by it.
    var isHeard: Bool { hearing.isHeard }
    /// Whether its voice comes, and its screen's sound.
    func hasSound(now: Instant) -> Bool { hearing.hasSound(now: now) }
    func hasScreenSound(now: Instant) -> Bool { hearing.hasScreenSound(now: now) }
    /// Whether the way from the server is broken.
    var isBroken: Bool { hearing.isBroken }
    /// How long what comes by it waits to be played.
    var wait: PlayoutWait { link.wait }
    /// How long its packets wait in queues on their way here; nil while that is not known.
    var queue: Duration? { transport.queue }

    /// The part of its packets that is lost, 0…1; nil while that is not known.
    var loss: Double? { link.loss }

    /// Counts so far, and how the way is.
    var statistics: MediaStatistics {
        var statistics = MediaStatistics()
        statistics.path = transport.path
        statistics.codecs = transport.codecs
        statistics.received = counters.received
        statistics.frameEncryption = "aes-256-gcm"
        statistics.fingerprintVerified = transport.wasVerified
        statistics.candidatesRejected = transport.rejectedCandidates
        statistics.packetsRefused = counters.packetsRefused
        statistics.link.roundTrip = link.roundTrip
        statistics.link.jitterLatency = link.wait.pictures
        statistics.link.lossHere = link.loss
        return statistics
    }

    /// What a look shows.
    struct Sight {
        /// Whether the member is heard, when that has changed.
        var isHeard: Bool?
        /// What of it is on, when that has changed.
        var media: PeerMediaWatch.Change?
        /// Whether frames come that no key opens.
        var isUnreadable = false
    }

    /// Looks at what has come.
    func look(now: Instant) -> Sight {
        let received = counters.received
        hearing.hear(sounds: received.audioFrames, ofScreen: received.screenSoundFrames, now: now)
        return Sight(
            isHeard: hearing.update(opened: received.frames, packets: counters.packets, now: now),
            media: media.update(received, packets: counters.packets, sendsScreenAsCamera: true, now: now),
            isUnreadable: proof.fails(opened: received.frames, refused: received.framesRejected, now: now))
    }

    /// Bits a second that come of it; nil while that is not known.
    func rate(now: Instant) -> Int? { arrivals.update(bytes: counters.received.bytes, now: now) }

    /// Whether packets of pictures that are missing are asked for.
    func setAsksAgain(_ asksAgain: Bool) { transport.setAsksAgain(asksAgain) }

    /// Follows the link. `roundTrip` is that to the server in milliseconds, which a way that only receives can't measure.
    func tune(roundTrip: Int?) {
        guard link.isDue(now: .now), var report = transport.takeLinkReport() else { return }
        report.roundTrip = report.roundTrip ?? roundTrip
        let setting = link.update(report, own: speaker.value?.own, now: .now)
        transport.follow(forwardedLoss: link.loss)
        if let setting { transport.set(setting) }
    }

    /// Stops all; gives what is left to be done where it may block.
    func stop() -> @Sendable () -> Void { transport.retire() }
}

/// Sends nothing.
struct NoSenders: TransportSenders {
    var chains: [MediaSlot: SendChain] { [:] }
    var sources: Set<UInt32> { [] }
    var voice: UInt32? { nil }
    func add(_ labels: [MediaLabel], to parts: TransportParts, formerRate: Int?) {}
    func expectFeedback() {}
    func receive(_ feedback: [PacketReport]) {}
    func setView(_ size: PictureSize?) {}
    func shut() {}
    func close() {}
}
