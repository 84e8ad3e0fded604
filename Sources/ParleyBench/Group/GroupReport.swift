import Foundation
import TerminalText

/// What one call of several came to.
struct GroupFigures: Codable, Sendable, Equatable {
    var people: Int
    /// How many of them see and hear the others: whose figures these are.
    var viewers: Int
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
    /// The longest time in milliseconds that pictures stand still, and that nothing is heard, of anybody while a call goes from the room to
    /// direct ways, and back; nil where it did not.
    var toMeshGap: Int?
    var toMeshSoundGap: Int?
    var toRoomGap: Int?
    var toRoomSoundGap: Int?
    /// The same of webrtcbins alone.
    var bareProcessor: Double?
    var bareJoining: Double?
    /// Processor seconds a second of the Janus that media go over; nil where they go directly.
    var janusProcessor: Double?

    init(people: Int, viewers: Int? = nil) {
        self.people = people
        self.viewers = viewers ?? people
    }
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
    /// Milliseconds that pictures stand still, and that nothing is heard, when a call goes over to other ways.
    static let handOverGap = 500

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
            func check(_ gap: Int?, goingTo aim: String) { check(gap.map { $0 <= Self.handOverGap }, aim) }
            check(call.toMeshGap, goingTo: "pictures while going from the room to direct ways")
            check(call.toMeshSoundGap, goingTo: "sound while going from the room to direct ways")
            check(call.toRoomGap, goingTo: "pictures while going from direct ways to the room")
            check(call.toRoomSoundGap, goingTo: "sound while going from direct ways to the room")
            return missed
        }
    }

    var text: String {
        func text(_ value: Double?, times factor: Double = 1, _ decimals: Int = 0) -> String {
            value.map { NumberText.fixed($0 * factor, decimals) } ?? "–"
        }
        func ratio(_ call: GroupFigures) -> Double? { call.bareProcessor.map { call.processor / max($0, 0.001) } }
        typealias Columns = [(title: String, text: (GroupFigures) -> String)]
        let isOverJanus = calls.contains { $0.janusProcessor != nil }
        let beside: Columns =
            isOverJanus
            ? [("viewers", { "\($0.viewers)" }), ("Janus %", { text($0.janusProcessor, times: 100, 1) })]
            : [
                ("webrtcbins %", { text($0.bareProcessor, times: 100, 1) }), ("ratio", { text(ratio($0), 2) }),
                ("webrtcbins ms", { text($0.bareJoining) }),
            ]
        var columns: Columns = [
            ("people", { "\($0.people)" }), ("CPU of one %", { text($0.processor, times: 100, 1) }),
        ]
        columns += beside.prefix(2)
        columns += [
            ("MiB", { text($0.memory) }), ("threads", { text($0.threads) }), ("received kbit/s", { text($0.rate) }),
            ("pictures 1/s", { text($0.pictures, 1) }), ("rows", { "\($0.height)" }),
            ("all seen ms", { text($0.joining) }),
        ]
        columns += beside.dropFirst(2)
        columns += [
            ("5 % loss 1/s", { text($0.lossyPictures, 1) }),
            ("400 kbit/s still ms", { $0.narrowGap.map(String.init) ?? "–" }),
        ]
        if calls.contains(where: { $0.toMeshGap != nil }) {
            func both(_ pictures: Int?, _ sound: Int?) -> String {
                pictures.map { "\($0) / \(sound ?? 0)" } ?? "–"
            }
            columns += [
                ("to direct ways still / silent ms", { both($0.toMeshGap, $0.toMeshSoundGap) }),
                ("to the room still / silent ms", { both($0.toRoomGap, $0.toRoomSoundGap) }),
            ]
        }
        var table = TextTable(columns.map { ($0.title, .right) })
        for call in calls { table.add(columns.map { $0.text(call) }) }
        return table.text + "\n"
            + (missed.isEmpty ? "All aims are met." : "Missed: " + missed.joined(separator: "; ") + ".")
    }
}
