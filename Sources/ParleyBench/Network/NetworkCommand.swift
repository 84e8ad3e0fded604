import ArgumentParser
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

    @Option(
        help: ArgumentHelp(
            "What happens to the network; may be repeated, for one call after the other.", valueName: "name|file"))
    var plan = ["narrow"]

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

    @Flag(
        help: """
            After each call have two headless Chromium pages call one another over the same network. Needs the packages \
            chromium and pulseaudio.
            """)
    var besideChromium = false

    @Flag(help: "Print JSON instead of tables: a line a second, or of several calls one report.")
    var json = false

    func validate() throws {
        guard !besideChromium || film == nil else {
            throw ValidationError("Chromium can only show the generated film.")
        }
        guard !besideChromium || !screen else { throw ValidationError(Self.noScreen) }
    }

    private static let noScreen = "Chromium's page shares no screen."

    func run() async throws {
        let plans = try plan.map { name in
            (name: name, plan: try name.hasSuffix(".json") ? NetworkPlan(json: Self.read(name)) : .named(name))
        }
        try NetworkEmulator.checkPermission()
        if besideChromium {
            guard ChromiumEndpoint.program != nil else { throw BenchError.browserMissing }
            guard SoundRoom.isPossible else { throw BenchError.soundServerMissing }
            guard !plans.contains(where: { $0.plan.hasScreens }) else { throw ValidationError(Self.noScreen) }
        }
        let folder = try TemporaryFolder(in: nil)
        let numbered =
            film == nil
            ? try CallFilm(in: folder.path, scene: .room(isLarge: large, isStill: still), hasTone: true) : nil
        let hasScreen = film != .test && (screen || plans.contains(where: { $0.plan.hasScreens }))
        let isReported = besideChromium || plans.count > 1
        let run = NetworkRun(
            film: film ?? numbered.map { .file($0.parley) } ?? .test,
            screen: hasScreen ? .file(try Film.makeScreen(in: folder.path)) : .test, numbered: numbered,
            sharesScreen: screen, seconds: seconds, folder: folder.path,
            output: json ? isReported ? .nothing : .json : .table)
        var calls: [NetworkReport.Call] = []
        for (name, plan) in plans {
            for program in besideChromium ? [CallProgram.parley, .chromium] : [.parley] {
                if isReported, !json { print("\(name), \(program.name)") }
                calls.append(.init(plan: name, program: program, seconds: try await run.measure(plan, by: program)))
            }
        }
        guard isReported else { return }
        let report = NetworkReport(calls: calls)
        print(json ? try JSONText.lines(report) : report.text)
    }

    private static func read(_ path: String) throws -> Data {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw NetworkEmulationError.plan("\(path) can't be read")
        }
        return data
    }
}
