import ArgumentParser
import Foundation
import TerminalText

/// `parley-bench group`.
struct GroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Measures calls of several: without a server, beside as many webrtcbins alone, or over a Janus.",
        discussion: """
            Each member is a process that shows a film, speaks a tone, sees and hears all others and draws nothing. The \
            webrtcbins are all in this process and encode the film for each peer, at the rate that Parley had. A Janus is started \
            for each call over it, and stopped. Where few processors are to carry many members, --viewers has most of them only send; what \
            one costs is then that of those who see all.
            """)

    @Option(
        help: ArgumentHelp(
            "The most people, 4 or with --janus 8; there is a call of 2, 3 … of them, or of 3, 4, 6, 8.",
            valueName: "n"))
    var people: Int?

    @Flag(help: "Make the calls over a Janus of the package janus; without webrtcbins beside them.")
    var janus = false

    @Option(
        help: ArgumentHelp(
            "With --janus: how many see and hear the others, all if not said; the rest only send.", valueName: "n"))
    var viewers: Int?

    @Option(
        help: ArgumentHelp(
            "In how many rows each shows the others, as a window does; the film's if not said.", valueName: "n"))
    var shown: Int?

    @Option(help: ArgumentHelp("Rows of the film: 180, 360 or 720.", valueName: "n"))
    var height = 360

    @Option(help: ArgumentHelp("How long a call is let be before it is measured.", valueName: "s"))
    var settle = 12.0

    @Option(help: ArgumentHelp("How long its cost is measured, and how long each bad link lasts.", valueName: "s"))
    var seconds = 10.0

    @Flag(help: "Put the last one behind an emulated link, which loses packets and becomes narrow; needs root.")
    var link = false

    @Flag(
        name: .customLong("hand-over"),
        help: "With --janus: have calls of up to four go from the room to direct ways, and to another room.")
    var handsOver = false

    @Flag(help: "Leave the webrtcbins out.")
    var parleyOnly = false

    @Flag(help: "Print JSON instead of the table.")
    var json = false

    func validate() throws {
        let bounds = janus ? 3...8 : 2...4
        guard bounds.contains(people ?? bounds.upperBound) else {
            let reason = "There can be from \(bounds.lowerBound) to \(bounds.upperBound) people"
            throw ValidationError(reason + (janus ? " over a Janus." : " without a server."))
        }
        guard viewers == nil || janus else { throw ValidationError("Without a Janus all see each other.") }
        guard !handsOver || janus else { throw ValidationError("Without a Janus there is nothing to go over to.") }
        guard viewers.map({ (1...8).contains($0) }) ?? true else {
            throw ValidationError("From 1 to 8 people can see the others.")
        }
        guard [180, 360, 720].contains(height) else { throw ValidationError("The film has 180, 360 or 720 rows.") }
        guard [settle, seconds].allSatisfy({ (0.5...300).contains($0) }) else {
            throw ValidationError("Each part of a call takes from 0.5 to 300 seconds.")
        }
    }

    private var hasWebRTCBins: Bool { !parleyOnly && !janus }

    /// How many people there are in each call.
    var sizes: [Int] {
        guard janus else { return Array(2...(people ?? 4)) }
        let most = people ?? 8
        return [3, 4, 6].filter { $0 < most } + [most]
    }

    func run() async throws {
        let path = ProcessInfo.processInfo.environment["PATH"]
        let server = janus ? try MeasuredJanus.find(in: path) : nil
        let folder = try TemporaryFolder(in: nil)
        let film = try CallFilm(in: folder.path, scene: .near(part: 720 / height))
        let endless = hasWebRTCBins ? try film.endless(in: folder.path) : ""
        let times = GroupRun.Times(settling: settle, cost: seconds, link: seconds)
        let run = GroupRun(
            film: film.parley, rows: shown ?? height, times: times, hasLink: link, janus: server, handsOver: handsOver)
        var calls: [GroupFigures] = []
        for people in sizes {
            var figures = try await run.measure(people: people, viewers: min(viewers ?? people, people))
            if hasWebRTCBins {
                // What one sends to one, without its sound.
                let sent = Int(figures.rate * 1_000) / (people - 1) - 40_000
                let pictures = BarePeer.Pictures(
                    width: film.width, height: film.height, rate: max(sent, 60_000), source: endless)
                let bare = try await BareGroup.measure(people: people, pictures, times: times)
                (figures.bareProcessor, figures.bareJoining) = (bare.processor, bare.joining)
            }
            calls.append(figures)
        }
        let report = GroupReport(calls)
        print(json ? try JSONText.lines(report) : report.text)
    }
}
