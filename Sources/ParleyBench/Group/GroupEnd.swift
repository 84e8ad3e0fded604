import BaseKit
import Foundation

/// One member of a measured group call, in a process of its own.
final class GroupEnd: Sendable {
    private struct State {
        var isReady = false
        var completion: Double?
        var counts: [MemberCounts]?
        var failure: String?
    }

    let member: UInt8
    private let program: PipedProgram
    private let state: Shared

    private final class Shared: Sendable {
        let state = Lock(State())
    }

    /// Starts the process, behind words such as those of a namespace, which shows the others at so many rows; what it has for another member
    /// goes to `carry`.
    init(
        _ member: UInt8, film: String, rows: Int, in prefix: [String],
        carry: @escaping @Sendable (_ order: GroupOrder, _ other: UInt8) -> Void
    ) throws {
        self.member = member
        let state = Shared()
        self.state = state
        program = try PipedProgram(
            prefix + [
                Programs.own.path, "group-peer", "--member", "\(member)", "--film", film, "--rows", "\(rows)",
            ],
            environment: ProcessInfo.processInfo.environment, separator: UInt8(ascii: "\n")
        ) { line in
            guard let line else { return state.state.withLock { $0.failure = $0.failure ?? "a member has ended" } }
            guard let news = GroupNews(line: line) else { return }
            switch news {
            case .offer(let offer, let other): carry(.takeOffer(offer, from: member), other)
            case .answer(let answer, let other): carry(.takeAnswer(answer, from: member), other)
            case .candidates(let more, let other): carry(.candidates(more, from: member), other)
            case .large(let isWanted, let other): carry(.large(isWanted, from: member), other)
            case .ready: state.state.withLock { $0.isReady = true }
            case .complete(let time): state.state.withLock { $0.completion = time }
            case .counted(let counts): state.state.withLock { $0.counts = counts }
            case .failed(let reason): state.state.withLock { $0.failure = $0.failure ?? reason }
            }
        }
    }

    var process: Int32 { program.process }

    func tell(_ order: GroupOrder) { program.write(order.line) }

    /// Waits until it can be told to join: once for its start, and once for each room that it makes. Throws ``BenchError/call(_:)``.
    func ready() async throws {
        try await wait { state in
            defer { state.isReady = false }
            return state.isReady ? true : nil
        }
    }

    /// Waits until it shows everybody whom it has met; milliseconds from joining. Throws ``BenchError/call(_:)``.
    func complete() async throws -> Double {
        try await wait { state in
            defer { state.completion = nil }
            return state.completion
        }
    }

    /// What came of the others. Throws ``BenchError/call(_:)``.
    func counts() async throws -> [MemberCounts] {
        tell(.count)
        return try await wait { state in
            defer { state.counts = nil }
            return state.counts
        }
    }

    func stop() { program.stop() }

    @discardableResult
    private func wait<Value: Sendable>(_ look: (inout State) -> Value?) async throws -> Value {
        let limit = Instant.now + .seconds(60)
        while Instant.now < limit {
            let (value, failure) = state.state.withLock { (look(&$0), $0.failure) }
            if let value { return value }
            if let failure { throw BenchError.call(failure) }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw BenchError.call("member \(member) does not answer")
    }
}
