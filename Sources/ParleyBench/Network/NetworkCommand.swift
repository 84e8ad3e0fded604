import ArgumentParser
import BaseKit
import Foundation
import MediaRules
import NetworkEmulation
import TerminalText

/// `parley-bench network`.
struct NetworkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network",
        abstract: "Makes a video call over an emulated network and prints its figures once a second.",
        discussion: """
            Needs root, for two network namespaces. The plans are data: \(NetworkPlan.names.joined(separator: ", ")); or a \
            file of your own.
            """)

    @Option(help: ArgumentHelp("What happens to the network.", valueName: "name|file"))
    var plan: String = "narrow"

    @Option(help: ArgumentHelp("Length, if not the plan's.", valueName: "s"))
    var seconds: Double?

    @Option(
        help: ArgumentHelp("A film both sides show, if not a generated one.", valueName: "file"),
        transform: SourceArgument.film)
    var film: SourceArgument?

    @Flag(help: "The generated film has 1280 by 720 pixels in place of 640 by 480.")
    var large = false

    @Flag(help: "Next to nothing happens in the generated film.")
    var still = false

    @Flag(help: "Both sides share a screen with sound, too, also where the plan says nothing of it.")
    var screen = false

    @Flag(help: "Print JSON lines instead of a table.")
    var json = false

    func run() async throws {
        let plan = try plan.hasSuffix(".json") ? NetworkPlan(json: Self.read(plan)) : NetworkPlan.named(plan)
        let folder = try TemporaryFolder(in: nil)
        let shared: SourceArgument? =
            try screen || plan.hasScreens
            ? film == .test ? .test : .file(Film.makeScreen(in: folder.path)) : nil
        let made =
            film == nil
            ? try CallFilm(in: folder.path, scene: .room(isLarge: large, isStill: still)) : nil
        let film = film ?? made.map { .file($0.parley) } ?? .test
        let comparison = made.map { made in PictureComparison { try? made.similarity(of: $0) } }
        defer { comparison?.stop() }
        let emulator = try NetworkEmulator(plan: plan)
        defer { emulator.stop() }
        let call = try NetworkCall(
            emulator: emulator, film: film, screen: shared, isSoundAlone: plan.isSoundAlone, comparison: comparison)
        defer { call.stop() }
        let length = seconds ?? plan.duration
        if !json { print(NetworkFigures.header) }
        try await call.connect()
        let company = try await NetworkCompany(beside: call, plan, film: film, emulator: emulator)
        defer { company.stop() }
        emulator.start()
        var counts: NetworkCompany.Counts?
        var all: [NetworkFigures] = []
        var due = Instant.now
        for second in 1...max(1, Int(length)) {
            // Lines are as far apart as the plan's seconds, but for one that was late.
            due = max(due + .seconds(1), .now + .milliseconds(500))
            try await Task.sleep(for: due - .now)
            let figures = try await call.figures(second: second)
            all.append(figures)
            // All have found their place.
            if second == Int(length) / 3 { counts = try await company.counts() }
            print(try json ? JSONText.line(figures) : figures.row)
            fflush(nil)
        }
        guard !json else { return }
        print(NetworkSummary.text(of: all))
        if plan.calls > 1 || plan.hasStream, let counts {
            print(NetworkCompany.summary(from: counts, to: try await company.counts()))
        }
    }

    private static func read(_ path: String) throws -> Data {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw NetworkEmulationError.plan("\(path) can't be read")
        }
        return data
    }
}
