import ArgumentParser
import Foundation
import NetworkEmulation
import TerminalText

/// `parley-bench call`.
struct CallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Measures a call of two Parleys beside one of two Chromium pages.",
        discussion: """
            Both show the same film of 1280x720 at 30 pictures a second, with a number in each picture, and hear beeps; frames are \
            encrypted in both. Rounds of both kinds take turns. Both are headless, or both draw windows. Needs the packages \
            chromium and pulseaudio, and xvfb for windows.
            """)

    @Option(help: ArgumentHelp("Rounds of each kind.", valueName: "n"))
    var rounds = 3

    @Option(help: ArgumentHelp("How long a call is let be before it is measured.", valueName: "s"))
    var settle = 15.0

    @Option(help: ArgumentHelp("How long processor time is measured.", valueName: "s"))
    var seconds = 12.0

    @Option(help: ArgumentHelp("How long pictures and beeps are watched.", valueName: "s"))
    var watch = 8.0

    @Option(help: ArgumentHelp("Time on the way each way, over an emulated link; needs root.", valueName: "ms"))
    var delay: Double?

    @Flag(help: "The film has 320 by 180 pixels: for times, on a machine that has little time.")
    var small = false

    @Flag(help: "Each end draws its pictures in a window, on a screen of its own.")
    var windows = false

    @Flag(help: "Leave the browser out.")
    var parleyOnly = false

    @Flag(help: "Print JSON instead of the table.")
    var json = false

    func validate() throws {
        guard (1...50).contains(rounds) else { throw ValidationError("There can be from 1 to 50 rounds.") }
        guard [settle, seconds, watch].allSatisfy({ (1...300).contains($0) }) else {
            throw ValidationError("Each part of a call takes from 1 to 300 seconds.")
        }
        guard (0...1_000).contains(delay ?? 0) else { throw ValidationError("A link's delay is from 0 to 1000 ms.") }
    }

    func run() async throws {
        if !parleyOnly, ChromiumEndpoint.program == nil { throw BenchError.browserMissing }
        let folder = try TemporaryFolder(in: nil)
        let log: @Sendable (String) -> Void = { step in
            FileHandle.standardError.write(Data("parley-bench: \(step)\n".utf8))
        }
        log("the film is made")
        let run = CallRun(
            film: try CallFilm(in: folder.path, scene: .near(part: small ? 4 : 1)), folder: folder.path,
            times: .init(settling: settle, cost: seconds, watching: watch),
            link: delay.map { LinkCondition(delay: $0) }, drawsWindows: windows, log: log)
        var parley: [CallFigures] = []
        var chromium: [CallFigures] = []
        for round in 1...rounds {
            log("round \(round): Parley")
            let figures = try await run.measure(.parley, rate: nil)
            parley.append(figures)
            guard !parleyOnly else { continue }
            log("round \(round): Chromium")
            // What is sent is compared at the same rate; sound takes some of it.
            chromium.append(try await run.measure(.chromium, rate: max(Int(figures.rate * 1_000) - 60_000, 100_000)))
        }
        let report = CallReport(parley: parley, chromium: chromium)
        print(json ? try JSONText.lines(report) : report.text)
    }
}
