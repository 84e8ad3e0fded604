import Foundation

/// What `parley-bench network` found of several calls: a row for each, and of two over the same network their ratio.
struct NetworkReport: Codable, Sendable {
    /// A measured call.
    struct Call: Codable, Sendable {
        /// The plan's name, or its file.
        var plan: String
        var program: CallProgram
        var seconds: [NetworkFigures]
    }

    var calls: [Call]

    private struct Column: Sendable {
        var title: String
        var decimals: Int
        var value: @Sendable (NetworkSummary) -> Double?
    }

    private static let columns = [
        Column(title: "pictures 1/s", decimals: 1) { $0.shown },
        Column(title: "longest gap ms", decimals: 0) { Double($0.gap) },
        Column(title: "frozen s", decimals: 1) { $0.frozen },
        Column(title: "sound gap ms", decimals: 0) { Double($0.soundGap) },
        Column(title: "kbit/s", decimals: 0) { $0.rate },
        Column(title: "queue ms", decimals: 0) { $0.queue },
        Column(title: "\(PictureTimes.largeRows) rows after s", decimals: 1) { $0.large },
        Column(title: "SSIM", decimals: 3) { $0.similarity },
    ]

    /// The rows; in each cell what is from the first side to the second, and back. What is not known is a dash.
    var text: String {
        var headings: [(heading: String, alignment: TextTable.Alignment)] = [("plan", .left), ("call", .left)]
        headings += Self.columns.map { ($0.title, .right) }
        var table = TextTable(headings)
        var before: Call?
        for call in calls {
            let directions = Self.summaries(of: call)
            let cells = Self.columns.map { Self.cell(directions.map($0.value), $0.decimals) }
            table.add([call.plan, call.program.name] + cells)
            if call.program == .chromium, let parley = before, parley.program == .parley, parley.plan == call.plan {
                let ratios = Self.columns.map { column in
                    zip(Self.summaries(of: parley), directions).map { Self.ratio(column.value($0), column.value($1)) }
                }
                table.add([call.plan, "ratio"] + ratios.map { Self.cell($0, 2) })
            }
            before = call
        }
        return table.text
    }

    private static func summaries(of call: Call) -> [NetworkSummary] {
        [NetworkSummary(call.seconds.map(\.forward)), NetworkSummary(call.seconds.map(\.backward))]
    }

    private static func ratio(_ one: Double?, _ other: Double?) -> Double? {
        guard let one, let other, other > 0 else { return nil }
        return one / other
    }

    private static func cell(_ values: [Double?], _ decimals: Int) -> String {
        guard values.contains(where: { $0 != nil }) else { return "–" }
        return values.map { $0.map { NumberText.fixed($0, decimals) } ?? "–" }.joined(separator: " / ")
    }
}
