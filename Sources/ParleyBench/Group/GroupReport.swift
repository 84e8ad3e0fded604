import Foundation
import TerminalText

/// What one call of several came to.
struct GroupFigures: Codable, Sendable, Equatable {
    var people: Int
    /// Processor seconds a second, PSS in MiB and threads of one member.
    var processor = 0.0
    var memory = 0.0
    var threads = 0.0
    /// Pictures a second and their rows, of whom the fewest is shown.
    var pictures = 0.0
    var height = 0
    /// What one member receives, in kbit/s.
    var rate = 0.0
    /// Frames that no key opened.
    var refused = 0
    /// Milliseconds from accepting until the last one shows all others.
    var joining = 0.0
    /// Pictures a second at a loss of 5 % each way; nil where there was no link.
    var lossyPictures: Double?
    /// The longest time in milliseconds that pictures stand still when the link becomes one of 400 kbit/s.
    var narrowGap: Int?
    /// The same of webrtcbins alone.
    var bareProcessor: Double?
    var bareJoining: Double?

    init(people: Int) { self.people = people }
}

/// What `parley-bench group` found, and how far it is from its aims.
struct GroupReport: Codable, Sendable, Equatable {
    /// What eight people may cost at 320x180, without drawing: processor seconds a second and MiB of one member.
    static let processor = 0.35
    static let memory = 120.0
    /// Milliseconds in which who joins sees all, and in which pictures are back on a narrow link; pictures a second at 5 % loss.
    static let joining = 1_000.0
    static let narrowGap = 2_000
    static let lossyPictures = 20.0

    var calls: [GroupFigures]
    var missed: [String]

    init(_ calls: [GroupFigures]) {
        self.calls = calls
        missed = calls.flatMap { call in
            var missed: [String] = []
            func check(_ isMet: Bool?, _ what: String) {
                if isMet == false { missed.append("\(call.people): \(what)") }
            }
            check(call.height > 180 ? nil : call.processor <= Self.processor, "processor time")
            check(call.height > 180 ? nil : call.memory <= Self.memory, "memory")
            check(call.joining <= Self.joining, "time to join")
            check(call.refused == 0, "frames that no key opens")
            check(call.lossyPictures.map { $0 >= Self.lossyPictures }, "pictures at 5 % loss")
            check(call.narrowGap.map { $0 <= Self.narrowGap }, "pictures on 400 kbit/s")
            return missed
        }
    }

    var text: String {
        var table = TextTable([
            ("people", .right), ("CPU of one %", .right), ("webrtcbins %", .right), ("ratio", .right), ("MiB", .right),
            ("threads", .right), ("received kbit/s", .right), ("pictures 1/s", .right), ("rows", .right),
            ("all seen ms", .right), ("webrtcbins ms", .right), ("5 % loss 1/s", .right),
            ("400 kbit/s still ms", .right),
        ])
        func text(_ value: Double?) -> String { value.map { NumberText.fixed($0, 0) } ?? "–" }
        for call in calls {
            table.add([
                "\(call.people)", NumberText.fixed(call.processor * 100, 1),
                call.bareProcessor.map { NumberText.fixed($0 * 100, 1) } ?? "–",
                call.bareProcessor.map { NumberText.fixed(call.processor / max($0, 0.001), 2) } ?? "–",
                text(call.memory), text(call.threads), text(call.rate), NumberText.fixed(call.pictures, 1),
                "\(call.height)", text(call.joining), text(call.bareJoining),
                call.lossyPictures.map { NumberText.fixed($0, 1) } ?? "–",
                call.narrowGap.map(String.init) ?? "–",
            ])
        }
        return table.text + "\n"
            + (missed.isEmpty ? "All aims are met." : "Missed: " + missed.joined(separator: "; ") + ".")
    }
}
