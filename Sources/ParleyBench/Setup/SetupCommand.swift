import ArgumentParser
import Foundation
import Media
import TerminalText

/// `parley-bench setup`.
struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Measures the time from accepting a call to its first picture, beside two webrtcbins alone.",
        discussion: """
            Both ends are in this process and talk over loopback, with warm DTLS keys, and test picture and tone. Rounds \
            of both kinds take turns, so that a busy machine is busy for both.
            """)

    @Option(help: ArgumentHelp("Rounds of each kind.", valueName: "n"))
    var rounds = 10

    @Flag(help: "Print JSON instead of the table.")
    var json = false

    func validate() throws {
        guard (1...200).contains(rounds) else { throw ValidationError("There can be from 1 to 200 rounds.") }
    }

    func run() async throws {
        try MediaRuntime.start()
        var parley: [SetupRun.Times] = []
        var bare: [SetupRun.Times] = []
        // The first of each warms what a process makes once, such as the DTLS key.
        for round in 0...rounds {
            let (one, other) = (try await SetupRun.bare(), try await SetupRun.parley())
            guard round > 0 else { continue }
            bare.append(one)
            parley.append(other)
        }
        let report = SetupReport(parley: parley, bare: bare)
        print(json ? try JSONText.lines(report) : report.text)
    }
}

/// What `parley-bench setup` found, in milliseconds since accepting; medians.
struct SetupReport: Codable, Sendable {
    /// One kind of call.
    struct Line: Codable, Sendable {
        var offer: Double
        var answer: Double
        var path: Double?
        var connected: Double?
        var firstPicture: Double
        var fastest: Double
        var slowest: Double

        init(_ times: [SetupRun.Times], hasConnected: Bool) {
            offer = Self.median(times.map(\.offer))
            answer = Self.median(times.map(\.answer))
            path = hasConnected ? Self.median(times.map(\.path)) : nil
            connected = hasConnected ? Self.median(times.map(\.connected)) : nil
            let pictures = times.map(\.firstPicture)
            firstPicture = Self.median(pictures)
            fastest = pictures.min() ?? 0
            slowest = pictures.max() ?? 0
        }

        static func median(_ values: [Double]) -> Double {
            let sorted = values.sorted()
            guard let upper = sorted.dropFirst(sorted.count / 2).first else { return 0 }
            guard sorted.count.isMultiple(of: 2), let lower = sorted.dropFirst(sorted.count / 2 - 1).first else {
                return upper
            }
            return (lower + upper) / 2
        }
    }

    var rounds: Int
    var parley: Line
    var bare: Line
    /// How many times as long Parley takes as two webrtcbins alone.
    var ratio: Double

    init(parley: [SetupRun.Times], bare: [SetupRun.Times]) {
        rounds = parley.count
        self.parley = Line(parley, hasConnected: true)
        self.bare = Line(bare, hasConnected: false)
        ratio = self.bare.firstPicture > 0 ? self.parley.firstPicture / self.bare.firstPicture : 0
    }

    var text: String {
        var table = TextTable([
            ("ms since accepting", .left), ("offer", .right), ("answer", .right), ("path", .right),
            ("connected", .right), ("first picture", .right), ("fastest", .right), ("slowest", .right),
        ])
        for (name, line) in [("Parley", parley), ("two webrtcbins alone", bare)] {
            table.add(
                [name]
                    + [
                        line.offer, line.answer, line.path, line.connected, line.firstPicture, line.fastest,
                        line.slowest,
                    ].map {
                        $0.map { String(Int($0.rounded())) } ?? "–"
                    })
        }
        return table.text + "\n" + "Ratio: \(String(format: "%.2f", ratio)) (medians of \(rounds) rounds)"
    }
}
