import BaseKit
import Signaling

/// The opened media of one group call: does what the machine asks for, for each member and for keys in its order, and reports back.
///
/// Closing does not wait for anything; a session that is still being opened is closed the moment it exists.
final class GroupMediaLine: Sendable {
    typealias Report = @Sendable (GroupMediaEvent) async -> Void
    private typealias Job = @Sendable (any GroupMediaSession) async -> Void

    private struct State {
        var isClosed = false
        var session: (any GroupMediaSession)?
        var members: [MemberNumber: SerialLine<Job>] = [:]
    }

    private let report: Report
    private let opening: Task<(any GroupMediaSession)?, Never>
    private let keys: SerialLine<Job>
    private let rooms: SerialLine<Job>
    private let listening = Lock<Task<Void, Never>?>(nil)
    private let state: Shared

    /// What the opening task and the line both look at.
    private final class Shared: Sendable {
        private let state = Lock(State())

        func with<Value: Sendable>(_ body: (inout sending State) -> sending Value) -> Value { state.withLock(body) }
    }

    init(_ plan: GroupMediaPlan, port: any GroupMediaPort, report: @escaping Report) {
        let shared = Shared()
        self.report = report
        state = shared
        let opening = Task<(any GroupMediaSession)?, Never> {
            guard !shared.with({ $0.isClosed }) else { return nil }
            let session: any GroupMediaSession
            do {
                session = try await port.open(plan)
            } catch {
                await report(.failed(Cause(error)))
                return nil
            }
            let isWanted = shared.with { state in
                if !state.isClosed { state.session = session }
                return !state.isClosed
            }
            guard !isWanted else { return session }
            await session.close()
            return nil
        }
        self.opening = opening
        (keys, rooms) = (Self.line(opening), Self.line(opening))
        let task = Task {
            guard let session = await opening.value else { return }
            for await event in session.events { await report(event) }
        }
        listening.withLock { $0 = task }
    }

    private static func line(_ opening: Task<(any GroupMediaSession)?, Never>) -> SerialLine<Job> {
        SerialLine { job in
            if let session = await opening.value { await job(session) }
        }
    }

    private func add(_ member: MemberNumber, _ job: @escaping Job) {
        state.with { state in
            if state.members[member] == nil { state.members[member] = Self.line(opening) }
            state.members[member]?.add(job)
        }
    }

    // MARK: Keys

    func use(_ key: GroupKey) { keys.add { await $0.use(key) } }
    func give(_ key: GroupKey, of member: MemberNumber) { keys.add { await $0.give(key, of: member) } }
    func dropKeys(of member: MemberNumber) { keys.add { await $0.dropKeys(of: member) } }

    // MARK: Paths

    func open(_ member: MemberNumber, path: Int, _ role: GroupPathRole) {
        add(member) { [report] session in
            do {
                let (description, candidates) =
                    switch role {
                    case .offers: try await session.makeOffer(to: member, path: path)
                    case .answers(let offer): try await session.makeAnswer(to: offer, from: member)
                    }
                await report(.path(member, path, .described(description, candidates)))
            } catch {
                await report(.path(member, path, .failed))
            }
        }
    }

    func apply(_ answer: GroupDescription, from member: MemberNumber) {
        add(member) { [report] session in
            do {
                try await session.apply(answer, from: member)
            } catch {
                await report(.path(member, answer.path, .failed))
            }
        }
    }

    func add(_ candidates: [ICECandidate], from member: MemberNumber, path: Int) {
        add(member) { await $0.add(candidates, from: member, path: path) }
    }

    func closePath(to member: MemberNumber) { add(member) { await $0.closePath(to: member) } }

    // MARK: A room

    func enter(_ room: GroupRoom) {
        rooms.add { [report] session in
            do {
                try await session.enter(room)
            } catch {
                await report(.roomFailed(room.number, Cause(error)))
            }
        }
    }

    func useAccess(of room: GroupRoom) { rooms.add { await $0.useAccess(of: room) } }

    /// Gives what ends when the room is left.
    func leaveRoom() -> Task<Void, Never> {
        rooms.add { await $0.leaveRoom() }
        return Task { [rooms] in await rooms.settle() }
    }

    /// Closes media; everything after that is void.
    func close() -> Task<Void, Never> {
        let session = state.with { state in
            state.isClosed = true
            state.members = [:]
            defer { state.session = nil }
            return state.session
        }
        let (opening, listener) = (opening, listening.withLock { $0 })
        return Task {
            await session?.close()
            _ = await opening.value
            listener?.cancel()
        }
    }
}
