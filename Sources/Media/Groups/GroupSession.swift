import BaseKit
import CGStreamer
import GLibKit
import MediaRules
import Synchronization

/// The media of one group call among few: own devices and encoders, and a way to each other member (a mesh).
///
/// The person has consented before a session is opened: opening it opens camera and microphone. What is captured is encoded once and
/// sealed once, with a key of the own member; to a member it goes only once that one's DTLS certificate is the one in its description.
/// What a member sends is opened by the keys that this member has given and no other's.
public actor GroupSession {
    /// What happens, in order, for one reader; ends when the session is closed.
    public nonisolated let events: AsyncStream<GroupSessionEvent>
    /// Our own camera, 320 pixels wide.
    public nonisolated let localVideo: VideoFeed

    private static let count = Atomic(0)
    /// How many sessions live in this process.
    static var live: Int { count.load(ordering: .relaxed) }

    let configuration: GroupSessionConfiguration
    let emit: AsyncStream<GroupSessionEvent>.Continuation
    let keys: GroupKeys
    let encoders: GroupEncoders
    let devices: CallDevices
    let counters = MediaCounters()
    let pipeline: Pipeline
    private let playout: Shared<AudioPlayout?>
    var devicesInUse = DevicesInUse()
    var servers: ServerUse
    var paths: [UInt8: MeshPath] = [:]
    /// The room on a forwarding server.
    var room: GroupRoom?
    private var feeds: [UInt8: MemberFeeds] = [:]
    /// How long the loudspeaker was told to wait.
    private var playedWait: PlayoutWait?
    /// The members who share a screen.
    let screens = Shared<Set<UInt8>>([])
    /// What members say of our large pictures.
    let largeWishes = Shared<[UInt8: Bool]>([:])
    var ownStatement = OwnStatement()
    /// What the person lets out.
    var switches: MediaSwitches
    private(set) var isClosed = false
    private var tasks: [Task<Void, Never>] = []

    /// Opens a session: camera and microphone, then nothing until there is a way to somebody. Contacts nobody.
    ///
    /// A missing or broken device is a notice among ``events``, not an error. Throws ``MediaError`` when GStreamer or one of its plugins
    /// is missing, ``GroupFrameError/invalidKey`` for a call, number or key that there can't be.
    public static func open(_ configuration: GroupSessionConfiguration) async throws -> GroupSession {
        try MediaRuntime.start()
        let session = try GroupSession(configuration)
        await session.start()
        return session
    }

    private init(_ configuration: GroupSessionConfiguration) throws {
        self.configuration = configuration
        localVideo = VideoFeed(isDrawn: configuration.drawsPictures)
        let (events, emit) = AsyncStream.makeStream(of: GroupSessionEvent.self)
        (self.events, self.emit) = (events, emit)
        keys = try GroupKeys(call: configuration.call, member: configuration.member, key: configuration.key)
        switches = MediaSwitches(isCameraOn: configuration.media == .video && configuration.isCameraOn)
        switches.isMicrophoneOn = configuration.isMicrophoneOn
        switches.savesData = configuration.pictures.savesData
        servers = try ServerUse(configuration.iceServers, relayOnly: configuration.relayOnly)
        pipeline = try Pipeline { message in
            if case .error(let text) = message { emit.yield(.own(.failed(.pipeline(text)))) }
        }
        encoders = try GroupEncoders(in: pipeline.element, keys: keys, counters: counters)
        let (inlets, playout) = (CallDevices.Inlets(), Shared<AudioPlayout?>(nil))
        self.playout = playout
        devices = CallDevices(
            configuration.devices, inlets: inlets, playout: playout, pipeline: pipeline, preview: localVideo)
        Self.count.add(1, ordering: .relaxed)
    }

    deinit { Self.count.subtract(1, ordering: .relaxed) }

    private func start() {
        for notice in servers.access.notices { emit.yield(.own(.notice(notice))) }
        pipeline.element.setState(GST_STATE_PLAYING)
        devices.inlets.connect(to: encoders.sources)
        devices.meter.setMuted(!switches.isMicrophoneOn)
        let (news, failures, speaker) = (devices.news, servers.failures, devices.speaker)
        tasks = [
            Task { [weak self] in for await one in news { await self?.handle(one) } },
            Task { [weak self] in for await failure in failures { await self?.relayFailed(failure) } },
            Task { [weak self] in
                while !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(250))
                    await self?.tick()
                }
            },
            Task { [weak self] in
                while !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(100))
                    await self?.chooseLayers()
                }
            },
            Task { [weak self] in
                await self?.follow(.microphone)
                await self?.follow(.camera)
            },
            Task { await speaker.follow() },
            Task { [devices] in await devices.follow() },
        ]
    }

    /// Ends the session: devices are closed, all threads and sockets released. Further calls do nothing.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        devices.silence()
        let port = room?.port
        let endings =
            (room.map(stop) ?? []) + paths.values.flatMap { $0.stop(saysGoodbye: true) }
            + feeds.values.flatMap { $0.meeting.rest(isOver: true) }
        paths = [:]
        for task in tasks { task.cancel() }
        async let devicesAreClosed: Void = devices.close()
        await MediaQueue.run { [access = servers.access, pipeline, encoders] in
            for end in endings { end() }
            encoders.close()
            pipeline.close()
            access.close()
        }
        await devicesAreClosed
        await port?.close()
        for feed in feeds.values {
            feed.video.show(nil)
            feed.screen.show(nil)
            feed.voice.finish()
        }
        emit.finish()
    }

    // MARK: Keys

    /// Seals with another key from here on: of the next step when somebody comes, of a new epoch when somebody has left. Frames that are
    /// sealed already still go.
    public func use(_ key: GroupFrameKey) { keys.use(key) }

    /// A member has given its key. Throws ``GroupFrameError/invalidKey`` for a member that there can't be.
    public func give(_ key: GroupFrameKey, of member: UInt8) throws {
        guard member != configuration.member else { throw GroupFrameError.invalidKey }
        try keys.give(key, of: member)
        followFeeds(of: member)
    }

    /// Opens nothing more of a member, until it gives another key.
    public func dropKeys(of member: UInt8) async {
        keys.remove(member)
        await leaveFeeds(of: member)
    }

    // MARK: Members

    /// The feeds of a member, the same as long as the session.
    func feeds(of member: UInt8) -> MemberFeeds {
        if let feeds = feeds[member] { return feeds }
        let made = MemberFeeds(
            timeline: pipeline, latency: configuration.jitterLatency, isDrawn: configuration.drawsPictures)
        feeds[member] = made
        return made
    }

    /// The camera of a member, or the screen that it shares.
    public func video(of member: UInt8) -> VideoFeed { feeds(of: member).video }
    /// Says whose pictures are of a shared screen now: of a room those are asked for large.
    public nonisolated func setScreens(of members: Set<UInt8>) { screens.value = members }
    /// Says which members want our large pictures by a room, and which don't (``GroupRoomEvent/large(_:)`` of theirs). Of who says nothing it is
    /// taken after a while that it does; while nobody does they are not made.
    public nonisolated func setLargeWishes(_ wishes: [UInt8: Bool]) { largeWishes.value = wishes }
    /// How loud a member speaks, in steps from 0 to 3, each time it is another one. Each use is a new stream.
    public func speakingSteps(of member: UInt8) -> AsyncStream<Int> { feeds(of: member).voice.steps() }

    /// What the ways to members are made of.
    var surroundings: MeshPath.Surroundings {
        MeshPath.Surroundings(
            options: configuration.devices.transport, servers: servers.access, keys: keys, encoders: encoders,
            total: counters, playout: playout, timeline: pipeline
        ) { [weak self] member, number, signal in await self?.handle(signal, of: number, from: member) }
    }

    /// Closes the way to a member, if there is one; its keys and feeds stay. ``GroupSessionEvent/closed(_:)`` follows in any case: what
    /// comes of the member behind it is of another way.
    public func closePath(to member: UInt8) async {
        await end(member, saysGoodbye: true)
        emit.yield(.closed(member))
    }

    /// Lets go of the way to a member, if there is one; its keys stay.
    func end(_ member: UInt8, saysGoodbye: Bool) async {
        guard let path = paths.removeValue(forKey: member) else { return }
        let endings = path.stop(saysGoodbye: saysGoodbye)
        updateValves()
        await rest(member)
        await MediaQueue.run { for end in endings { end() } }
    }

    /// A way of a member has gone: without another one nothing of it is shown or played.
    func rest(_ member: UInt8) async {
        guard let feeds = feeds[member], paths[member] == nil else { return }
        guard room?.paths(of: member).isEmpty ?? true else {
            // What was off on the way that has gone says nothing of the other.
            return feeds.video.setOn(true)
        }
        for end in feeds.meeting.rest() { MediaQueue.start(end) }
        feeds.video.show(nil)
        feeds.screen.show(nil)
        feeds.voice.fallSilent()
        for slot in [MediaSlot.microphone, .screenSound] {
            await devices.speaker.end(PlayedSound(member: member, slot: slot))
        }
    }

    /// Lets pictures and sound of all members wait for the slowest of all ways, as one loudspeaker plays them all.
    func followWaits() async {
        let meshed = paths.values.filter(\.isVerified).map(\.wait)
        let forwarded = (room?.paths ?? []).filter(\.transport.isVerified).map(\.wait)
        let waits = meshed + forwarded
        guard let first = waits.first else { return }
        let wait = waits.reduce(first) { $0.union($1) }
        for one in feeds.values { one.meeting.setLatency(wait.pictures) }
        guard wait != playedWait else { return }
        playedWait = wait
        await devices.speaker.setWait(wait)
    }

    /// Which of the pictures of a member's camera are shown; nil before any.
    public func shownLayer(of member: UInt8) -> ForwardedLayer? {
        switch feeds[member]?.meeting.stream(of: .camera) {
        case .high: .high
        case .low: .low
        case .lowest: .lowest
        default: nil
        }
    }

    /// How long a member's picture stood still and no sound of it was played at the longest since the last question, whichever ways it comes by.
    public func takePauses(of member: UInt8) -> MemberPauses { feeds[member]?.meeting.takePauses() ?? MemberPauses() }

    /// What has come of each member of whom there is a way, or was.
    public var receptions: [UInt8: MemberReception] { feeds.mapValues(\.meeting.reception) }

    /// Counts of one member; nil without a way to it.
    public func statistics(of member: UInt8) -> MediaStatistics? { paths[member]?.statistics }
}
