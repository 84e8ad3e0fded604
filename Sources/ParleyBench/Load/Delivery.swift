import BaseKit
import Glibc

/// What a measurement of delivery found.
struct DeliveryResult: Sendable {
    var messages = 0
    var seconds = 0.0
    /// Of the server's process; nil where it is not ours.
    var processorSeconds: Double?
    /// Of this process, which makes the load.
    var loadProcessorSeconds = 0.0
    var histogram = LatencyHistogram()
    /// Sends that were left out because too many were under way.
    var skipped = 0

    /// Messages delivered and acknowledged a second.
    var rate: Double { seconds > 0 ? Double(messages) / seconds : 0 }

    /// Processor time of the server for one message, in microseconds.
    var processorMicroseconds: Double? {
        guard let processorSeconds, messages > 0 else { return nil }
        return processorSeconds / Double(messages) * 1e6
    }

    /// Processor time of load and server for one message, in microseconds: with nobody else on the machine, what bounds the
    /// rate.
    var totalProcessorMicroseconds: Double? {
        processorMicroseconds.map { $0 + loadProcessorSeconds / Double(messages) * 1e6 }
    }

    mutating func merge(_ other: DeliveryResult) {
        processorSeconds =
            messages == 0 ? other.processorSeconds : zip2(processorSeconds, other.processorSeconds).map { $0 + $1 }
        loadProcessorSeconds += other.loadProcessorSeconds
        messages += other.messages
        seconds += other.seconds
        histogram.merge(other.histogram)
        skipped += other.skipped
    }

    private func zip2(_ left: Double?, _ right: Double?) -> (Double, Double)? {
        guard let left, let right else { return nil }
        return (left, right)
    }
}

extension Fleet {
    /// As many messages as go through, with a fixed number under way.
    func saturate(underWay: Int, seconds: Double) async throws(BenchError) -> DeliveryResult {
        try await measure(refills: true) { flow in
            let now = Instant.now
            for _ in 0..<underWay { flow.send(due: now) }
            try? await Task.sleep(for: .seconds(seconds), tolerance: .zero)
            return 0
        }
    }

    /// Messages at a fixed rate.
    func pace(rate: Double, seconds: Double) async throws(BenchError) -> DeliveryResult {
        // A queue never comes near its quota.
        let limit = routeCount * 64
        return try await measure(refills: false) { flow in
            let start = Instant.now
            var pacer = Pacer(rate: rate, seconds: seconds)
            var skipped = 0
            while let next = pacer.next, flow.failure == nil {
                try? await Task.sleep(for: start + next - .now, tolerance: .zero)
                for index in pacer.take(after: .now - start) {
                    if flow.underWay < limit {
                        flow.send(due: start + pacer.due(index))
                    } else {
                        skipped += 1
                    }
                }
            }
            return skipped
        }
    }

    private func measure(
        refills: Bool, _ body: (DeliveryFlow) async -> Int
    ) async throws(BenchError) -> DeliveryResult {
        let flow = DeliveryFlow(fleet: self, refills: refills)
        use(flow)
        defer { use(nil) }
        let before = subject.process.flatMap(ProcessStatistics.read)
        let loadBefore = ProcessStatistics.read(process: getpid())
        let start = Instant.now
        let skipped = await body(flow)
        flow.stop()
        try await flow.drain()
        let after = subject.process.flatMap(ProcessStatistics.read)
        let loadAfter = ProcessStatistics.read(process: getpid())
        var result = DeliveryResult(messages: flow.acknowledgedCount, histogram: flow.histogram, skipped: skipped)
        result.seconds = ((flow.lastAcknowledgement ?? start) - start).inSeconds
        if let loadBefore, let loadAfter {
            result.loadProcessorSeconds = loadAfter.processorSeconds - loadBefore.processorSeconds
        }
        if let before, let after { result.processorSeconds = after.processorSeconds - before.processorSeconds }
        return result
    }
}
