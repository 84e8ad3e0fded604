import BaseKit
import Cryptography
import MediaRules

/// Tries whether media go through a room on a forwarding server: what one session sends, another one receives, each by connections of its
/// own, as two members of a call do.
///
/// What is sent is a tone and a test picture; no device is opened. It is sealed as in a call, with a key that is made for the trial and
/// that nobody else has.
public enum RoomTrial {
    /// What has worked, in this order.
    public enum Step: Sendable, Hashable {
        /// What is sent reaches the server by this path; nil where ICE does not tell it.
        case sent(MediaPath?)
        /// Sound and pictures have come back by this path, and its key has opened them.
        case received(MediaPath?)
    }

    /// What the trial is to use.
    public struct Plan: Sendable {
        /// By what members of the room know each other's feeds (``FeedName``).
        public var feedsKey: SecretBytes
        /// Servers that tell our public address or relay for us.
        public var iceServers: [ICEServer] = []
        /// Whether only relayed candidates are used and shown.
        public var relayOnly = false
        /// How long each step may take.
        public var patience: Duration = .seconds(15)

        /// A plan with the key alone.
        public init(feedsKey: SecretBytes) { self.feedsKey = feedsKey }
    }

    private static let sender: UInt8 = 1
    private static let receiver: UInt8 = 2
    private static let interval: Duration = .milliseconds(100)

    /// Tries a room, in twice ``Plan/patience`` and what the port takes, and leaves it. `report` is called with each step that has worked.
    ///
    /// `join` gives a room's port that has joined it as the member of this number, under the name that the plan's key gives to it. Throws
    /// ``RoomTrialFault``, ``MediaError`` where there are no media at all, what `join` and the ports throw, and `CancellationError`.
    public static func run(
        _ plan: Plan, join: @Sendable (UInt8) async throws -> any ForwardingPort, report: @Sendable (Step) -> Void
    ) async throws {
        try await MediaQueue.run { try MediaRuntime.start() }
        let call = SecretBytes.random(GroupFrameCipher.callSize).bytes
        try await use(Member(sender, sends: true, call, plan)) { sending in
            try await use(Member(receiver, sends: false, call, plan)) { receiving in
                try await receiving.session.give(sending.key, of: sender)
                try await run(plan, sending, receiving, join, report)
            }
        }
    }

    /// Closes a member at the end in any case.
    private static func use(_ member: Member, _ body: (Member) async throws -> Void) async throws {
        do {
            try await body(member)
        } catch {
            await member.close()
            throw error
        }
        await member.close()
    }

    private static func run(
        _ plan: Plan, _ sending: Member, _ receiving: Member,
        _ join: @Sendable (UInt8) async throws -> any ForwardingPort, _ report: @Sendable (Step) -> Void
    ) async throws {
        try await sending.enter(try await join(sender), plan)
        try await wait(plan.patience, otherwise: .notReached) {
            try sending.check(plan)
            return sending.isConnected
        }
        report(.sent(await sending.session.publishedPath))
        try await receiving.enter(try await join(receiver), plan)
        var path: MediaPath?
        try await wait(plan.patience, otherwise: .notReturned) {
            try sending.check(plan)
            try receiving.checkFeed()
            let statistics = await receiving.session.roomStatistics(of: sender)
            path = statistics?.path
            guard let received = statistics?.received else { return false }
            return received.audioFrames > 0 && received.videoFrames > 0
        }
        report(.received(path))
    }

    private static func wait(
        _ patience: Duration, otherwise fault: RoomTrialFault, until isDone: () async throws -> Bool
    ) async throws {
        let end = Instant.now + patience
        while try await !isDone() {
            guard Instant.now < end else { throw fault }
            try await Task.sleep(for: interval)
        }
    }
}

/// One of the two sides of a trial.
private struct Member: Sendable {
    fileprivate struct Heard: Sendable {
        var isConnected = false
        var isEnded = false
        var isUnreadable = false
        var failure: MediaError?
        /// Why no relay can be used.
        var relay: RelayServerError?
    }

    let session: GroupSession
    let key: GroupFrameKey
    private let heard = Shared(Heard())
    private let reader: Task<Void, Never>

    init(_ number: UInt8, sends: Bool, _ call: [UInt8], _ plan: RoomTrial.Plan) async throws {
        key = try GroupFrameKey(epoch: 0, step: 0, secret: .random(GroupFrameKey.secretSize))
        var configuration = GroupSessionConfiguration(call: call, member: number, key: key)
        (configuration.camera, configuration.microphone, configuration.speaker) = (.test, .test, .none)
        (configuration.isMicrophoneOn, configuration.isCameraOn) = (sends, sends)
        configuration.drawsPictures = false
        (configuration.iceServers, configuration.relayOnly) = (plan.iceServers, plan.relayOnly)
        session = try await GroupSession.open(configuration)
        reader = Task { [session, heard] in
            for await event in session.events { heard.change { $0.note(event) } }
        }
    }

    var isConnected: Bool { heard.value.isConnected }

    func enter(_ port: any ForwardingPort, _ plan: RoomTrial.Plan) async throws {
        do {
            try await session.enter(room: port, feedsKey: plan.feedsKey)
        } catch MediaError.closed {
            // Nobody but the port can have closed it.
            throw RoomTrialFault.ended
        }
    }

    /// Throws what has happened to the way to the server.
    func check(_ plan: RoomTrial.Plan) throws {
        let heard = heard.value
        if heard.isEnded { throw RoomTrialFault.ended }
        if plan.relayOnly, let relay = heard.relay { throw MediaError.relay(relay) }
        switch heard.failure {
        case .unreachable?: throw RoomTrialFault.notReached
        case let failure?: throw failure
        case nil: break
        }
    }

    /// Throws what has happened to the way from the server.
    func checkFeed() throws {
        let heard = heard.value
        if heard.isEnded { throw RoomTrialFault.ended }
        if heard.isUnreadable { throw RoomTrialFault.changed }
    }

    func close() async {
        await session.close()
        await reader.value
    }
}

extension Member.Heard {
    fileprivate mutating func note(_ event: GroupSessionEvent) {
        switch event {
        case .room(.connected): isConnected = true
        case .room(.ended): isEnded = true
        case .room(.unreadable): isUnreadable = true
        case .room(.failed(let error)), .own(.failed(let error)): failure = failure ?? error
        case .own(.notice(.server(let error))): relay = error
        default: break
        }
    }
}
