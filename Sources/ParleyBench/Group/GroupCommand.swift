import ArgumentParser
import Foundation
import TerminalText

/// `parley-bench group`.
struct GroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Measures calls of several without a server, beside as many webrtcbins alone.",
        discussion: """
            Each member is a process that shows a film, speaks a tone, sees and hears all others and draws nothing. The \
            webrtcbins are all in this process and encode the film for each peer, at the rate that Parley had.
            """)

    @Option(help: ArgumentHelp("The most people; there is a call of 2, 3 … of them.", valueName: "n"))
    var people = 4

    @Option(help: ArgumentHelp("Rows of the film: 180, 360 or 720.", valueName: "n"))
    var height = 360

    @Option(help: ArgumentHelp("How long a call is let be before it is measured.", valueName: "s"))
    var settle = 12.0

    @Option(help: ArgumentHelp("How long its cost is measured, and how long each bad link lasts.", valueName: "s"))
    var seconds = 10.0

    @Flag(help: "Put the last one behind an emulated link, which loses packets and becomes narrow; needs root.")
    var link = false

    @Flag(help: "Leave the webrtcbins out.")
    var parleyOnly = false

    @Flag(help: "Print JSON instead of the table.")
    var json = false

    func validate() throws {
        guard (2...4).contains(people) else { throw ValidationError("There can be from 2 to 4 people.") }
        guard [180, 360, 720].contains(height) else { throw ValidationError("The film has 180, 360 or 720 rows.") }
        guard [settle, seconds].allSatisfy({ (0.5...300).contains($0) }) else {
            throw ValidationError("Each part of a call takes from 0.5 to 300 seconds.")
        }
    }

    func run() async throws {
        let folder = try TemporaryFolder(in: nil)
        let film = try CallFilm(in: folder.path, part: 720 / height)
        let endless = try film.endless(in: folder.path)
        let times = GroupRun.Times(settling: settle, cost: seconds, link: seconds)
        let run = GroupRun(film: film.parley, times: times, hasLink: link)
        var calls: [GroupFigures] = []
        for people in 2...people {
            var figures = try await run.measure(people: people)
            if !parleyOnly {
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
