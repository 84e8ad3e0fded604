import Cryptography
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

/// The members of one group call in one process, with the signaling between them.
final class Mesh: Sendable {
    static let call = (1...16).map { UInt8($0) }

    let sessions: [UInt8: GroupSession]
    private let log = Mutex<[UInt8: [GroupSessionEvent]]>([:])
    private let keys: Mutex<[UInt8: GroupFrameKey]>

    /// Opens members 1 to `count`, each as `configure` has it, has them give each other their keys, and closes them behind `body`.
    static func run(
        _ count: Int, givesKeys: Bool = true,
        configure: (UInt8, inout GroupSessionConfiguration) -> Void = { _, _ in }, _ body: (Mesh) async throws -> Void
    ) async throws {
        let mesh = try await Mesh(count, configure)
        do {
            if givesKeys { try await mesh.giveKeys() }
            try await body(mesh)
        } catch {
            await mesh.close()
            throw error
        }
        await mesh.close()
    }

    private init(_ count: Int, _ configure: (UInt8, inout GroupSessionConfiguration) -> Void) async throws {
        var (sessions, keys) = ([UInt8: GroupSession](), [UInt8: GroupFrameKey]())
        for number in UInt8(1)..<UInt8(count + 1) {
            let key = try Self.key(epoch: 0, of: number)
            var configuration = GroupSessionConfiguration(call: Self.call, member: number, key: key)
            (configuration.camera, configuration.microphone, configuration.speaker) = (.test, .test, .none)
            configuration.allowsLoopback = true
            configure(number, &configuration)
            sessions[number] = try await GroupSession.open(configuration)
            keys[number] = key
        }
        self.sessions = sessions
        self.keys = Mutex(keys)
        for (number, session) in sessions {
            Task { for await event in session.events { await self.take(event, from: number) } }
        }
    }

    static func key(epoch: UInt8, of member: UInt8) throws -> GroupFrameKey {
        try GroupFrameKey(
            epoch: epoch, step: 0, secret: SecretBytes([UInt8](repeating: member &+ epoch &* 16, count: 32)))
    }

    private func take(_ event: GroupSessionEvent, from number: UInt8) async {
        log.withLock { $0[number, default: []].append(event) }
        switch event {
        case .member(let other, .candidates(let candidates)):
            await sessions[other]?.add(candidates, from: number)
        case .member(let other, .renewalCandidates(let transport, let candidates)):
            await sessions[other]?.add(candidates, from: number, number: transport)
        default: break
        }
    }

    /// What a member was told so far.
    func events(of number: UInt8) -> [GroupSessionEvent] { log.withLock { $0[number] ?? [] } }

    subscript(number: UInt8) -> GroupSession {
        get throws { try #require(sessions[number]) }
    }

    /// Everybody gives everybody else the present key.
    func giveKeys() async throws { for number in sessions.keys { try await giveKey(of: number) } }

    private func giveKey(of number: UInt8, except left: Set<UInt8> = []) async throws {
        let key = try #require(keys.withLock { $0[number] })
        for (other, session) in sessions where other != number && !left.contains(other) {
            try await session.give(key, of: number)
        }
    }

    /// A member hashes its secret on, and tells nobody.
    func step(_ number: UInt8) async throws {
        let key = try #require(try keys.withLock { try $0[number]?.next(in: Self.call) })
        keys.withLock { $0[number] = key }
        try await self[number].use(key)
    }

    /// A member makes a new secret, gives it to those who are still there, and seals with it.
    func rotate(_ number: UInt8, without left: Set<UInt8> = []) async throws {
        let epoch = try #require(keys.withLock { $0[number]?.epoch }) + 1
        let key = try Self.key(epoch: epoch, of: number)
        keys.withLock { $0[number] = key }
        try await giveKey(of: number, except: left)
        try await self[number].use(key)
    }

    /// Two members make a way between them; the one with the higher number offers.
    func connect(
        _ one: UInt8, _ other: UInt8, number: Int = 0, answer change: (String) -> String = { $0 }
    ) async throws {
        let (low, high) = (min(one, other), max(one, other))
        let offer = try await self[high].makeOffer(to: low, number: number)
        let answer = try await self[low].makeAnswer(
            to: offer.sdp, candidates: offer.candidates, from: high, number: number)
        try await self[high].apply(
            answer: change(answer.sdp), candidates: answer.candidates, from: low, number: number)
    }

    /// All pairs.
    func connectAll() async throws {
        for one in sessions.keys.sorted() {
            for other in sessions.keys.sorted() where other > one { try await connect(one, other) }
        }
    }

    func received(by one: UInt8, from other: UInt8) async throws -> MediaStatistics.Direction {
        try await self[one].statistics(of: other)?.received ?? MediaStatistics.Direction()
    }

    /// Waits until each of these has decoded so many further pictures and pieces of sound of each other one.
    func waitForMedia(
        among members: [UInt8], pictures: Int = 5, sounds: Int = 20, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for one in members {
            for other in members where other != one {
                let before = try await received(by: one, from: other)
                try await eventually(sourceLocation: sourceLocation) {
                    let now = try await received(by: one, from: other)
                    return now.videoFrames >= before.videoFrames + pictures
                        && now.audioFrames >= before.audioFrames + sounds
                }
            }
        }
    }

    private func close() async {
        await withTaskGroup(of: Void.self) { group in
            for session in sessions.values { group.addTask { await session.close() } }
        }
    }
}
