import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// The way to one member of a group call: transports as in a call of two, what is shown and heard of the member, and what is known of
/// the link. Belongs to the session's actor.
final class MeshPath {
    /// What the transports of all members are made of.
    struct Surroundings: Sendable {
        var options: TransportOptions
        var servers: ServerAccess
        var keys: GroupKeys
        var encoders: GroupEncoders
        /// Counts of all members together.
        var total: MediaCounters
        var playout: Shared<AudioPlayout?>
        /// The pipeline on whose time all run.
        var timeline: Pipeline
        /// Takes what a transport of a member tells.
        var read: @Sendable (UInt8, Int, TransportSignal) async -> Void
    }

    let member: UInt8
    let video: VideoFeed
    let screen: VideoFeed
    let voice: VoiceMeter
    let counters: MediaCounters
    var transports: Transports
    var media = PeerMediaWatch()
    /// The path that was seen last.
    private(set) var path: MediaPath?
    private(set) var isLost = false
    private var link: LinkWatch
    private var senders: [Int: MeshSenders] = [:]
    private let surroundings: Surroundings
    private let feeds: MemberFeeds

    /// Makes it with its first transport, which is started. Throws ``MediaError``.
    init(to member: UInt8, feeds: MemberFeeds, _ surroundings: Surroundings) throws(MediaError) {
        self.member = member
        self.surroundings = surroundings
        (video, screen, voice) = (feeds.video, feeds.screen, feeds.voice)
        counters = MediaCounters(addingTo: surroundings.total)
        link = LinkWatch(shortest: surroundings.options.jitterLatency)
        self.feeds = feeds
        let (first, sending) = try Self.make(0, to: member, counters, feeds, surroundings)
        transports = Transports(first)
        senders[0] = sending
        start(first)
    }

    private static func make(
        _ number: Int, to member: UInt8, _ counters: MediaCounters, _ feeds: MemberFeeds,
        _ surroundings: Surroundings
    ) throws(MediaError) -> (Transport, MeshSenders) {
        let sending = MeshSenders(encoders: surroundings.encoders, counters: counters)
        let transport = try Transport(
            number: number, surroundings.options, servers: surroundings.servers,
            protection: .group { [keys = surroundings.keys, way = sending.way] slot in
                GroupFrameOpener(keys: keys, member: member, slot: slot, way: way)
            }, total: counters,
            outlets: feeds.outlets(of: member, way: sending.way, speaker: surroundings.playout), senders: sending)
        return (transport, sending)
    }

    private func start(_ transport: Transport) {
        transport.start(onTimeOf: surroundings.timeline)
        let (stream, number) = (transport.signals.stream, transport.number)
        transport.reader = Task { [read = surroundings.read, member] in
            for await signal in stream { await read(member, number, signal) }
        }
    }

    // MARK: What it is

    var isVerified: Bool { transports.current.isVerified }
    /// How long what comes by it waits to be played.
    var wait: PlayoutWait { link.wait }
    /// Bits a second that were well on the transport before.
    var formerRate: Int? { senders[transports.current.number]?.good }

    /// Counts so far, and how the way is.
    var statistics: MediaStatistics {
        var statistics = MediaStatistics()
        statistics.path = path
        statistics.codecs = transports.current.codecs
        (statistics.sent, statistics.received) = (counters.sent, counters.received)
        statistics.frameEncryption = "aes-256-gcm"
        statistics.fingerprintVerified = transports.current.wasVerified
        statistics.candidatesRejected = transports.rejectedCandidates
        statistics.packetsRefused = counters.packetsRefused
        statistics.link.roundTrip = link.roundTrip
        statistics.link.jitterLatency = link.wait.pictures
        statistics.link.lossHere = link.loss
        statistics.link.target = senders[transports.current.number]?.bitrate ?? 0
        return statistics
    }

    // MARK: Transports

    /// A transport that is to take over. Throws ``MediaError``; the way is then as it was.
    func begin(_ number: Int) throws(MediaError) -> Transport {
        try transports.admit(number)
        if let next = transports.next { release(next) }
        let (made, sending) = try Self.make(number, to: member, counters, feeds, surroundings)
        made.set(link.setting)
        senders[number] = sending
        transports.prepare(made)
        start(made)
        return made
    }

    /// The peer's certificate on this transport is the announced one: it carries from here on. Gives whether it took over from another.
    func verified(_ transport: Transport) -> Bool {
        let takesOver = transport === transports.next
        if takesOver {
            if let former = transports.former { release(former) }
            transports.current.yield()
            transports.takeOver()
            link.replaced()
            transport.set(link.setting)
        }
        guard transport === transports.current else { return false }
        transport.carry()
        path = transport.path ?? path
        senders[transport.number]?.open()
        return takesOver
    }

    /// Lets go of a transport that does not carry.
    func release(_ transport: Transport) {
        transports.remove(transport)
        senders[transport.number] = nil
        MediaQueue.start(transport.retire())
    }

    /// Nothing comes from the member any more, or again.
    func setLost(_ isLost: Bool) {
        self.isLost = isLost
        senders[transports.current.number]?.setHeard(!isLost)
        if !isLost { link.recovered(now: .now) }
    }

    /// Follows the link.
    func tuneToLink() {
        let transport = transports.current
        transport.follow(shown: video.shownSize)
        if let rate = senders[transport.number]?.bitrate { transport.follow(rate: rate) }
        guard link.isDue(now: .now) else { return }
        path = transport.path ?? path
        guard let report = transport.takeLinkReport(),
            let setting = link.update(report, own: surroundings.playout.value?.own, now: .now)
        else { return }
        transport.set(setting)
    }

    /// Stops all; gives what is left to be done where it may block.
    func stop(saysGoodbye: Bool) -> [@Sendable () -> Void] {
        let endings = transports.all.map { $0.retire(isCallOver: saysGoodbye) }
        if let next = transports.next { transports.remove(next) }
        if let former = transports.former { transports.remove(former) }
        senders = [:]
        return endings
    }
}

/// What is shown and heard of one member. It stays while ways to the member come and go.
struct MemberFeeds: Sendable {
    let video: VideoFeed
    let screen: VideoFeed
    let voice = VoiceMeter()
    /// Where what comes by several ways meets.
    let meeting: FrameMeeting

    /// `timeline` is the pipeline on whose time all ways run; `latency` in milliseconds is theirs at first. `isDrawn`: whether pictures are drawn.
    init(timeline: Pipeline, latency: Int, isDrawn: Bool) {
        (video, screen) = (VideoFeed(isDrawn: isDrawn), VideoFeed(isDrawn: isDrawn))
        meeting = FrameMeeting(video: video, screen: screen, timeline: timeline, latency: latency)
    }

    /// Where what comes by one way goes.
    func outlets(of member: UInt8, way: Int, speaker: Shared<AudioPlayout?>) -> ReceiveChains.Outlets {
        ReceiveChains.Outlets(
            video: video, screen: screen, voice: voice, member: member, speaker: speaker, meeting: meeting, way: way)
    }
}
