/// Everything `parley-bench relay --expiry` found.
struct ExpiryReport: Codable, Equatable, Sendable {
    /// Memory of a process, in bytes: what is in RAM, and its share of that where pages are shared.
    struct Memory: Codable, Equatable, Sendable {
        var resident: Int
        var proportional: Int

        /// Nil when there is no such process.
        static func read(process: Int32) -> Memory? {
            ProcessStatistics.contents("/proc/\(process)/smaps_rollup").flatMap(parse)
        }

        static func parse(_ rollup: String) -> Memory? {
            guard let resident = ProcessStatistics.bytes(of: "Rss", in: rollup),
                let proportional = ProcessStatistics.bytes(of: "Pss", in: rollup)
            else { return nil }
            return Memory(resident: resident, proportional: proportional)
        }
    }

    /// How long PING took, in milliseconds.
    struct Waits: Codable, Equatable, Sendable {
        var count: Int
        var middle: Double
        var tail: Double
        var longest: Double

        init(_ histogram: LatencyHistogram) {
            func milliseconds(_ value: Int64?) -> Double { Double(value ?? 0) / 1e6 }
            count = histogram.count
            middle = milliseconds(histogram.percentile(0.5))
            tail = milliseconds(histogram.percentile(0.99))
            longest = milliseconds(histogram.maximum)
        }
    }

    var format = 1
    var processors: Int
    var queues: Int
    var messages = 0
    /// Bytes, of `--memory`.
    var limit: Int
    var seconds: Double
    var fillSeconds = 0.0
    /// From the start of the process until it listens.
    var startSeconds = 0.0
    var filled: Memory?
    var restarted: Memory?
    var settled: Memory?
    /// Of the relay whose messages expire, and of the one that keeps nothing.
    var full = Waits(LatencyHistogram())
    var empty = Waits(LatencyHistogram())

    init(processors: Int, plan: ExpiryBenchmark.Plan) {
        self.processors = processors
        (queues, limit, seconds) = (plan.queues, plan.memory << 20, plan.seconds)
    }

    var text: String {
        var waits = TextTable([
            ("PING", .left), ("asked", .right), ("p50", .right), ("p99", .right), ("longest", .right),
        ])
        for (name, found) in [("all messages expire", full), ("nothing is kept", empty)] {
            let times = [found.middle, found.tail, found.longest].map { NumberText.format($0) + " ms" }
            waits.add([name, NumberText.grouped(found.count)] + times)
        }
        var memory = TextTable([("memory", .left), ("RSS, MiB", .right), ("PSS, MiB", .right)])
        let moments = [("filled", filled), ("started anew", restarted), ("everything expired", settled)]
        for case (let name, let found?) in moments {
            memory.add([name] + [found.resident, found.proportional].map { NumberText.grouped($0 >> 20) })
        }
        return """
            \(NumberText.grouped(queues)) queues, \(NumberText.grouped(messages)) messages of 16 kB, stored in \
            \(NumberText.format(fillSeconds)) s; started anew in \(NumberText.format(startSeconds)) s with --memory \
            \(limit >> 20); \(NumberText.format(seconds)) s

            \(waits.text)

            \(memory.text)
            """
    }
}
