import ArgumentParser
import BaseKit
import Cryptography
import Foundation
import Media
import MediaRules
import SFUPort

/// One member of a measured group call; started by ``GroupCommand``. ``GroupOrder`` and ``GroupNews`` come and go as lines of JSON.
struct GroupPeerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group-peer", abstract: "One member of a measured group call.", shouldDisplay: false)

    @Option(help: "The member's number.")
    var member: UInt8

    @Option(help: "The film that is the camera.")
    var film: String

    @Option(help: "At how many rows the others are shown.")
    var rows: Int

    func run() async throws {
        try MediaRuntime.start()
        // As while it rings.
        MediaRuntime.load()
        let end = MeasuredMember(member, film: film, shown: PictureSize(width: rows * 16 / 9, height: rows))
        GroupNews.ready.tell()
        for await order in GroupOrder.input { await end.obey(order) }
        await end.close()
    }
}

/// The session of this member, and what is seen in it.
private actor MeasuredMember {
    private let member: UInt8
    private let film: String
    private let shown: PictureSize
    private var session: GroupSession?
    private var joined = Instant.now
    private var met: [UInt8: PictureTimes] = [:]
    private var largeWishes: [UInt8: Bool] = [:]
    private let unseen = Lock<Set<UInt8>>([])
    /// What is done with each of the others, in its order; nobody waits for anybody else.
    private var lines: [UInt8: Task<Void, Never>] = [:]

    init(_ member: UInt8, film: String, shown: PictureSize) {
        (self.member, self.film, self.shown) = (member, film, shown)
    }

    func obey(_ order: GroupOrder) async {
        do {
            switch order {
            case .join: try await open()
            case .meet(let others): for other in others { try await meet(other) }
            case .makeOffer(let other):
                add(other) { GroupNews.offer(try await $0.makeOffer(to: other), to: other).tell() }
            case .takeOffer(let offer, let other):
                add(other) {
                    let answer = try await $0.makeAnswer(to: offer.sdp, candidates: offer.candidates, from: other)
                    GroupNews.answer(answer, to: other).tell()
                }
            case .takeAnswer(let answer, let other):
                add(other) { try await $0.apply(answer: answer.sdp, candidates: answer.candidates, from: other) }
            case .candidates(let more, let other): add(other) { await $0.add(more, from: other) }
            case .large(let isWanted, let other):
                largeWishes[other] = isWanted
                session?.setLargeWishes(largeWishes)
            case .makeRoom(let room):
                let maker = try room.client()
                try await maker.makeRoom(room.plan)
                await maker.close()
                GroupNews.ready.tell()
            case .enter(let room): try await enter(room)
            case .leaveRoom: await session?.leaveRoom()
            case .closePaths(let others): for other in others { add(other) { await $0.closePath(to: other) } }
            case .count: GroupNews.counted(await counts()).tell()
            }
        } catch { GroupNews.failed("\(error)").tell() }
    }

    func close() async { await session?.close() }

    private func open() async throws {
        joined = .now
        var configuration = GroupSessionConfiguration(
            call: [UInt8](repeating: 5, count: 16), member: member, key: try Self.key(of: member))
        (configuration.camera, configuration.microphone, configuration.speaker) = (.file(film), .test, .none)
        configuration.allowsLoopback = true
        configuration.drawsPictures = false
        let session = try await GroupSession.open(configuration)
        self.session = session
        Task {
            var wishes: [UInt8: Bool] = [:]
            for await event in session.events {
                switch event {
                case .room(.large(let now)):
                    for (other, isWanted) in now where wishes[other] != isWanted {
                        GroupNews.large(isWanted, to: other).tell()
                    }
                    wishes = now
                case .member(let other, .candidates(let more)): GroupNews.candidates(more, to: other).tell()
                case .member(let other, .failed(let error)): GroupNews.failed("member \(other): \(error)").tell()
                case .own(.failed(let error)): GroupNews.failed("\(error)").tell()
                case .room(.failed(let error)): GroupNews.failed("the room: \(error)").tell()
                case .room(.ended): GroupNews.failed("the room has ended").tell()
                case .room(.unreadable(let other)): GroupNews.failed("no key opens member \(other)").tell()
                default: break
                }
            }
        }
    }

    private static func key(of member: UInt8) throws -> GroupFrameKey {
        try GroupFrameKey(epoch: 1, step: 0, secret: SecretBytes([UInt8](repeating: member, count: 32)))
    }

    private func meet(_ other: UInt8) async throws {
        guard let session else { throw BenchError.call("a member is met before anybody joined") }
        try await session.give(Self.key(of: other), of: other)
        let times = PictureTimes()
        met[other] = times
        unseen.withLock { _ = $0.insert(other) }
        let feed = await session.video(of: other)
        feed.setShownSize(shown)
        feed.setHandler { [weak self, weak feed] in
            guard let rows = feed?.latest()?.height else { return }
            times.add(rows: rows)
            self?.saw(other)
        }
    }

    private func enter(_ room: MeasuredRoom) async throws {
        guard let session else { throw BenchError.call("a room is entered before anybody joined") }
        let port = try await SFUPort(
            joining: room.plan.room, by: room.client(), member: member, feedsKey: room.feedsKey)
        try await session.enter(room: port, feedsKey: room.feedsKey)
    }

    private nonisolated func saw(_ other: UInt8) {
        let now = Instant.now
        let isLast = unseen.withLock { $0.remove(other) != nil && $0.isEmpty }
        if isLast { Task { await complete(at: now) } }
    }

    private func complete(at moment: Instant) { GroupNews.complete((moment - joined) / .milliseconds(1)).tell() }

    private func add(_ other: UInt8, _ job: @escaping @Sendable (GroupSession) async throws -> Void) {
        guard let session else { return }
        let earlier = lines[other]
        lines[other] = Task {
            await earlier?.value
            do { try await job(session) } catch { GroupNews.failed("member \(other): \(error)").tell() }
        }
    }

    /// What has come of a member, directly or by the room.
    private func received(from other: UInt8) async -> MediaStatistics.Direction? {
        if let direct = await session?.statistics(of: other) { return direct.received }
        return await session?.roomStatistics(of: other)?.received
    }

    private func counts() async -> [MemberCounts] {
        var all: [MemberCounts] = []
        for (other, times) in met.sorted(by: { $0.key < $1.key }) {
            let shown = times.take()
            var counts = MemberCounts(member: other, pictures: shown.count, gap: shown.gap, height: shown.rows)
            if let received = await received(from: other) {
                (counts.bytes, counts.sound, counts.refused) = (
                    received.bytes, received.audioFrames, received.framesRejected
                )
            }
            counts.soundGap = await session?.takePauses(of: other).sound ?? 0
            counts.direct = await session?.statistics(of: other)?.received.audioFrames ?? 0
            counts.byRoom = await session?.roomStatistics(of: other)?.received.audioFrames ?? 0
            all.append(counts)
        }
        return all
    }
}
