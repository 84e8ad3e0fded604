import BaseKit
import Foundation
import Media

/// The same mesh of webrtcbins alone, all in this process, each of which encodes for its one peer: what a call of several is compared with.
enum BareGroup {
    /// What such a call came to.
    struct Figures: Sendable {
        /// Processor seconds a second of one member.
        var processor: Double
        /// Milliseconds until the last one shows all others.
        var joining: Double
    }

    /// Makes such a call and measures it. Throws ``SetupError``.
    static func measure(people: Int, _ pictures: BarePeer.Pictures, times: GroupRun.Times) async throws -> Figures {
        try MediaRuntime.start()
        let peers = Lock<[BarePeer]>([])
        defer { for peer in peers.withLock({ $0 }) { peer.close() } }
        for number in 1..<people { _ = try await join(after: number - 1, pictures, into: peers) }
        let joining = try await join(after: people - 1, pictures, into: peers)
        try await Task.sleep(for: .seconds(times.settling))
        let (before, start) = (ProcessStatistics.read(process: getpid()), Instant.now)
        try await Task.sleep(for: .seconds(times.cost))
        let (after, seconds) = (ProcessStatistics.read(process: getpid()), (Instant.now - start).inSeconds)
        let spent = (after?.processorSeconds ?? 0) - (before?.processorSeconds ?? 0)
        return Figures(processor: spent / seconds / Double(people), joining: joining)
    }

    /// Somebody comes to that many others; gives the milliseconds until it shows all of them.
    private static func join(
        after others: Int, _ pictures: BarePeer.Pictures, into peers: borrowing Lock<[BarePeer]>
    ) async throws -> Double {
        let start = Instant.now
        let times = try await withThrowingTaskGroup(of: (Double, [BarePeer]).self) { group in
            for _ in 0..<others {
                group.addTask {
                    try await withCheckedThrowingContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume(with: Result { try pair(pictures, since: start) })
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        peers.withLock { all in for (_, made) in times { all += made } }
        return times.map(\.0).max() ?? 0
    }

    /// A pair that is connected, and when the one who comes shows the other.
    private static func pair(_ pictures: BarePeer.Pictures, since start: Instant) throws -> (Double, [BarePeer]) {
        let arrival = DispatchSemaphore(value: 0)
        let moment = Lock(start)
        let comer = try BarePeer(pictures) { now in
            moment.withLock { $0 = now }
            arrival.signal()
        }
        let offer = try comer.makeOffer()
        let other = try BarePeer(pictures) { _ in }
        comer.sendCandidates(to: other)
        other.sendCandidates(to: comer)
        try comer.apply(try other.makeAnswer(to: offer))
        guard arrival.wait(timeout: .now() + 30) == .success else {
            throw SetupError(description: "no picture came")
        }
        return ((moment.withLock { $0 } - start) / .milliseconds(1), [comer, other])
    }
}
