import ArgumentParser
import TerminalText

/// `parley-bench frame-encryption`.
struct FrameEncryptionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frame-encryption",
        abstract: "Measures sealing and opening media frames, beside libcrypto alone.",
        discussion: """
            Both have the same sizes and take turns. Parley's side chooses a random vector for each frame and cares for the clear \
            prefix; libcrypto's has the vector given. Allocations are counted at the calls of malloc and its kin.
            """)

    @Option(help: ArgumentHelp("Turns of each.", valueName: "n"))
    var turns = 60

    @Flag(help: "Print JSON instead of the table.")
    var json = false

    func validate() throws {
        guard (1...10_000).contains(turns) else { throw ValidationError("There can be from 1 to 10000 turns.") }
    }

    func run() throws {
        let run = FrameEncryptionRun(turns: turns)
        let report = FrameEncryptionReport(lines: try FrameEncryptionRun.Load.usual.flatMap(run.measure))
        print(json ? try JSONText.lines(report) : report.text)
    }
}
