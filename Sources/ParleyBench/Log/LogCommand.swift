import ArgumentParser
import Foundation
import TerminalText

/// `parley-bench log`.
struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Measures a log of many calls: opening it, its pages, and what is looked for in it.",
        discussion: """
            The log is made in a sealed store in a temporary folder. Each question is asked of a log that has just been opened, and again \
            when it has been read through.
            """)

    @Option(help: ArgumentHelp("Calls in the log.", valueName: "n"))
    var calls = 100_000

    @Option(help: ArgumentHelp("Rounds.", valueName: "n"))
    var rounds = 5

    @Flag(help: "Print JSON instead of the table.")
    var json = false

    func validate() throws {
        guard (1_000...1_000_000).contains(calls) else {
            throw ValidationError("There can be from 1 000 to 1 000 000 calls.")
        }
        guard (1...100).contains(rounds) else { throw ValidationError("There can be from 1 to 100 rounds.") }
    }

    func run() async throws {
        let folder = NSTemporaryDirectory() + "parley-bench-log-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let run = LogRun(folder: folder, calls: calls)
        try await run.fill()
        var times: [LogRun.Step: [Double]] = [:]
        for _ in 0..<rounds {
            for (step, time) in try await run.measure() { times[step, default: []].append(time) }
        }
        let report = LogReport(calls: calls, rounds: rounds, bytes: run.bytes, times: times)
        print(json ? try JSONText.lines(report) : report.text)
    }
}

/// What `parley-bench log` found, in milliseconds.
struct LogReport: Codable, Sendable, Equatable {
    /// One thing that was measured.
    struct Line: Codable, Sendable, Equatable {
        var step: String
        var median: Double
        var slowest: Double
        /// What it may take; nil where nothing was said.
        var aim: Double?
    }

    var calls: Int
    var rounds: Int
    /// How large the store is.
    var bytes: Int
    var lines: [Line]

    init(calls: Int, rounds: Int, bytes: Int, times: [LogRun.Step: [Double]]) {
        self.calls = calls
        self.rounds = rounds
        self.bytes = bytes
        lines = LogRun.Step.allCases.compactMap { step in
            times[step].map {
                Line(
                    step: step.rawValue, median: SetupReport.Line.median($0), slowest: $0.max() ?? 0, aim: step.aim)
            }
        }
    }

    var text: String {
        var table = TextTable([("ms", .left), ("median", .right), ("slowest", .right), ("aim", .right)])
        func number(_ value: Double) -> String { String(format: value < 10 ? "%.1f" : "%.0f", value) }
        for line in lines {
            table.add([line.step, number(line.median), number(line.slowest), line.aim.map(number) ?? "–"])
        }
        let size = NumberText.grouped(bytes / 1_000_000)
        return table.text + "\n\(NumberText.grouped(calls)) calls, a store of \(size) MB, \(rounds) rounds"
    }
}
