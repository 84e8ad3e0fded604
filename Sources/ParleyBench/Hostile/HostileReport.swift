import Foundation

/// What one attack did to a well-behaved client and to the relay.
struct HostileResult: Codable, Equatable, Sendable {
    var attack: String
    var sends: String
    /// Milliseconds; nil where nothing was answered.
    var pingMiddle: Double?
    var pingTail: Double?
    var pingMost: Double?
    var connectTail: Double?
    var connectMost: Double?
    /// PINGs that were answered, and connections that were made.
    var pings: Int
    var connections: Int
    /// PINGs that were not, and connections that could not be made.
    var failures: Int
    /// Bytes.
    var memoryBefore: Int
    var memoryMost: Int
    var memoryAfter: Int
    /// Messages a second of good traffic without and with the attack, 0 if it broke off; nil where none was sent.
    var goodRate: Double?
    var goodRateAttacked: Double?
    /// Processors that the relay kept busy during the attack; nil where that is not known.
    var processors: Double?
    /// What came back to the attacker; nil where it counts nothing.
    var seen: String?
}

/// Everything `parley-bench relay --hostile` found.
struct HostileReport: Codable, Equatable, Sendable {
    var format = 1
    var processors: Int
    var seconds: Double
    var results: [HostileResult] = []

    var text: String {
        var table = TextTable([
            ("attack", .left), ("PING p50", .right), ("p99", .right), ("max", .right), ("connect p99", .right),
            ("max", .right), ("made", .right), ("failed", .right), ("MiB before", .right), ("most", .right),
            ("after", .right), ("processors", .right), ("good messages", .right),
        ])
        func milliseconds(_ value: Double?) -> String { value.map { NumberText.format($0) + " ms" } ?? "–" }
        func mebibytes(_ bytes: Int) -> String { NumberText.grouped(bytes >> 20) }
        for result in results {
            let good =
                if let alone = result.goodRate, let attacked = result.goodRateAttacked {
                    "\(NumberText.format(attacked)) of \(NumberText.format(alone))/s"
                } else { "–" }
            table.add([
                result.attack, milliseconds(result.pingMiddle), milliseconds(result.pingTail),
                milliseconds(result.pingMost), milliseconds(result.connectTail), milliseconds(result.connectMost),
                NumberText.grouped(result.connections), NumberText.grouped(result.failures),
                mebibytes(result.memoryBefore), mebibytes(result.memoryMost), mebibytes(result.memoryAfter),
                result.processors.map { NumberText.format($0) } ?? "–", good,
            ])
        }
        let notes = results.map { result in
            "\(result.attack): \(result.sends)" + (result.seen.map { " (\($0))" } ?? "")
        }
        return ([table.text] + notes).joined(separator: "\n")
    }
}
