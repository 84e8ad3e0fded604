import Cryptography
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// Whether media go through a room, as it is tried before a call.
    @Suite(.needs(Room.obstacle)) struct RoomTrialTests {
        /// What was told, and with what it ended.
        private struct Outcome {
            var steps: [RoomTrial.Step] = []
            var error: (any Error)?

            var fault: RoomTrialFault? { error as? RoomTrialFault }
        }

        /// Tries a room that is entered by `join`; once a step is told, `onStep` is called.
        private static func outcome(
            patience: Duration = .seconds(15), onStep: @escaping @Sendable (RoomTrial.Step) -> Void = { _ in },
            join: @Sendable (UInt8) async throws -> any ForwardingPort
        ) async -> Outcome {
            let steps = Mutex<[RoomTrial.Step]>([])
            var plan = RoomTrial.Plan(feedsKey: Room.key)
            plan.patience = patience
            var outcome = Outcome()
            do {
                try await RoomTrial.run(plan, join: join) { step in
                    steps.withLock { $0.append(step) }
                    onStep(step)
                }
            } catch {
                outcome.error = error
            }
            outcome.steps = steps.withLock { $0 }
            return outcome
        }

        @Test func `media go to the room and come back, and nothing of the trial stays`() async throws {
            try await Room.use(0) { room, _ in
                let outcome = await Self.outcome { try await room.port(of: $0) }
                #expect(outcome.error == nil)
                guard case .sent(let there)? = outcome.steps.first, case .received(let back)? = outcome.steps.last
                else {
                    Issue.record("\(outcome.steps)")
                    return
                }
                #expect(outcome.steps.count == 2)
                #expect(there?.isRelayed == false && back?.isRelayed == false)
                try await eventually { GroupSession.live == 0 && Transport.live == 0 }
            }
        }

        @Test func `where no packet of media reaches the server, that is told in its time`() async throws {
            try await Room.use(0) { room, _ in
                try room.network.lose(100)
                let outcome = await Self.outcome(patience: .seconds(4)) { try await room.port(of: $0) }
                #expect(outcome.fault == .notReached)
                #expect(outcome.steps == [])
                try await eventually { GroupSession.live == 0 && Transport.live == 0 }
            }
        }

        @Test func `where media reach the server and don't come back, that is told`() async throws {
            try await Room.use(0) { room, _ in
                let outcome = await Self.outcome(
                    patience: .seconds(4),
                    onStep: { step in if case .sent = step { try? room.network.lose(100) } },
                    join: { try await room.port(of: $0) })
                #expect(outcome.fault == .notReturned)
                #expect(outcome.steps.count == 1)
            }
        }

        @Test func `another's frames in the place of what was sent are told as that`() async throws {
            // The member is who is sent in the sender's place.
            try await Room.use(1) { room, mesh in
                try await room.enter(1, of: mesh)
                let other = SecretBytes([UInt8](repeating: 22, count: 32))
                let outcome = await Self.outcome { member in
                    try await room.port(of: member, feedsKey: member == 1 ? other : Room.key)
                }
                #expect(outcome.fault == .changed)
            }
        }

        @Test func `a trial that is cancelled ends, and leaves no session`() async throws {
            try await Room.use(0) { room, _ in
                try room.network.lose(100)
                let joined = Mutex(0)
                let trial = Task {
                    await Self.outcome { member in
                        let port = try await room.port(of: member)
                        joined.withLock { $0 += 1 }
                        return port
                    }
                }
                try await eventually { joined.withLock { $0 } == 1 }
                trial.cancel()
                #expect(await trial.value.error is CancellationError)
                try await eventually { GroupSession.live == 0 && Transport.live == 0 }
            }
        }
    }

    /// The same with a room that is only pretended.
    @Suite struct PretendedRoomTrialTests {
        @Test func `a room that ends is told, and what the port throws is passed on`() async throws {
            var plan = RoomTrial.Plan(feedsKey: Room.key)
            plan.patience = .seconds(10)
            let forwarder = FakeForwarder()
            forwarder.tell.yield(.closed)
            await #expect(throws: RoomTrialFault.ended) {
                try await RoomTrial.run(plan, join: { _ in forwarder }, report: { _ in })
            }
            #expect(forwarder.isClosed)
            await #expect(throws: FakeForwarder.Refused.self) {
                try await RoomTrial.run(plan, join: { _ in throw FakeForwarder.Refused() }, report: { _ in })
            }
            try await eventually { GroupSession.live == 0 && Transport.live == 0 }
        }
    }
}
