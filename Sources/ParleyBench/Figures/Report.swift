import Foundation

/// Everything one run found.
struct Report: Codable, Equatable, Sendable {
    /// The form of the JSON.
    var format = 1
    /// Processors that relay, load and neighbours share.
    var processors: Int
    /// Length of one measurement, in seconds.
    var seconds: Double
    var figures: [Figure] = []
    /// What the run wants to be read with its figures.
    var notes: [String] = []

    /// The report as a table.
    var text: String {
        var table = TextTable([
            ("relay", .left), ("figure", .left), ("load", .right), ("value", .right), ("unit", .left),
            ("ceiling", .right), ("which is", .left), ("times away", .right),
        ])
        for figure in figures {
            table.add([
                figure.subject, figure.name, NumberText.grouped(figure.load), NumberText.format(figure.value),
                figure.unit, NumberText.format(figure.ceiling.value), figure.ceiling.name,
                NumberText.format(figure.ratio),
            ])
        }
        return ([table.text] + notes.map { "Note: \($0)" }).joined(separator: "\n")
    }
}
