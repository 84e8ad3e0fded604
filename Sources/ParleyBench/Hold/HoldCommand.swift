import ArgumentParser
import Foundation
import Media
import MediaRules
import TerminalText

/// `parley-bench hold`.
struct HoldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Measures how long it takes to change from one call to another that is on hold.",
        discussion: """
            A relay and three people are in this process and talk over loopback, with test picture and tone: one of them is in a call \
            with each of the other two, and changes between them. Times count from the wish until the first sound has been taken by \
            the decoder and the first picture has come out of it.
            """)

    @Option(help: ArgumentHelp("Changes.", valueName: "n"))
    var swaps = 20

    @Flag(help: "Print JSON instead of the table.")
    var json = false

    func validate() throws {
        guard (1...500).contains(swaps) else { throw ValidationError("There can be from 1 to 500 changes.") }
    }

    func run() async throws {
        try MediaRuntime.start()
        let report = HoldReport(try await HoldRun.measure(swaps: swaps))
        print(json ? try JSONText.lines(report) : report.text)
    }
}

/// What `parley-bench hold` found, in milliseconds since the wish.
struct HoldReport: Codable, Sendable, Equatable {
    /// One thing that comes back.
    struct Line: Codable, Sendable, Equatable {
        var what: String
        var median: Double
        var longest: Double
    }

    /// What a change may take.
    static let aim = 1_000.0

    var swaps: Int
    var lines: [Line]

    init(_ times: [HoldRun.Times]) {
        swaps = times.count
        func line(_ what: String, _ values: [Double]) -> Line {
            Line(what: what, median: SetupReport.Line.median(values), longest: values.max() ?? 0)
        }
        lines = [
            line("sound, at the one who changes", times.map(\.here.sound)),
            line("picture, at the one who changes", times.map(\.here.picture)),
            line("sound, at the other", times.map(\.there.sound)),
            line("picture, at the other", times.map(\.there.picture)),
            line("all of it", times.map(\.longest)),
        ]
    }

    var text: String {
        var table = TextTable([("ms since the wish", .left), ("median", .right), ("longest", .right)])
        for line in lines {
            table.add([line.what, "\(Int(line.median.rounded()))", "\(Int(line.longest.rounded()))"])
        }
        return table.text + "\n\(swaps) changes; each may take \(Int(Self.aim)) ms"
    }
}
