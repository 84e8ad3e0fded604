/// Columns of text, numbers to the right.
struct TextTable: Equatable, Sendable {
    enum Alignment: Sendable { case left, right }

    let headings: [String]
    let alignments: [Alignment]
    private var rows: [[String]] = []

    init(_ columns: [(heading: String, alignment: Alignment)]) {
        headings = columns.map(\.heading)
        alignments = columns.map(\.alignment)
    }

    /// Adds a row; missing cells stay empty, surplus ones are left out.
    mutating func add(_ cells: [String]) {
        rows.append((0..<headings.count).map { $0 < cells.count ? cells[$0] : "" })
    }

    /// The table as Markdown, which a person can read as it is.
    var text: String {
        let widths = headings.indices.map { column in
            ([headings] + rows).map { $0[column].count }.max() ?? 0
        }
        let rule = zip(widths, alignments).map { width, alignment in
            String(repeating: "-", count: width + 1) + (alignment == .right ? ":" : "-")
        }
        return ([line(headings, widths), "|" + rule.joined(separator: "|") + "|"] + rows.map { line($0, widths) })
            .joined(separator: "\n")
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = cells.indices.map { column in
            let fill = String(repeating: " ", count: widths[column] - cells[column].count)
            return alignments[column] == .right ? fill + cells[column] : cells[column] + fill
        }
        return "| " + padded.joined(separator: " | ") + " |"
    }

    static func == (left: TextTable, right: TextTable) -> Bool { left.text == right.text }
}

/// Numbers as a person reads them: three digits that count, thousands apart.
enum NumberText {
    static func format(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "–" }
        let magnitude = abs(value)
        if magnitude >= 100 { return grouped(Int(value.rounded())) }
        let decimals = magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3
        return fixed(value, decimals)
    }

    static func fixed(_ value: Double, _ decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { product, _ in product * 10 }
        let scaled = Int((abs(value) * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        let zeros = String(repeating: "0", count: max(0, decimals - fraction.count))
        return (value < 0 ? "-" : "") + "\(scaled / scale)" + (decimals > 0 ? "." + zeros + fraction : "")
    }

    static func grouped(_ value: Int) -> String {
        var text = ""
        for (index, digit) in String(value.magnitude).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text = "," + text }
            text = String(digit) + text
        }
        return (value < 0 ? "-" : "") + text
    }
}
