import ArgumentParser
import Foundation
import Media
import MediaRules
import TerminalText

/// `parley-bench devices`.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Measures how long picture and sound pause when a call changes to another camera or microphone.",
        discussion: """
            Uses the devices of this machine, at least two of a kind; with fewer the kind is left out. Both ends of the call are \
            in this process. `meson-helpers/virtual-devices` gives a machine without any some to measure with.
            """)

    @Option(help: ArgumentHelp("Changes of each kind.", valueName: "n"))
    var rounds = 6

    @Flag(help: "Print JSON instead of the table.")
    var json = false

    func validate() throws {
        guard (1...200).contains(rounds) else { throw ValidationError("There can be from 1 to 200 rounds.") }
    }

    func run() async throws {
        try MediaRuntime.start()
        let devices = try await DeviceMonitor.shared.devices()
        var report = DevicesReport()
        for kind in [DeviceKind.camera, .microphone] {
            let choice = Array(devices[kind].prefix(2))
            guard choice.count == 2 else {
                report.leftOut.append("Fewer than two \(kind.rawValue)s were found.")
                continue
            }
            var pauses: [Double] = []
            for round in 0..<rounds {
                let (first, second) = round.isMultiple(of: 2) ? (choice[0], choice[1]) : (choice[1], choice[0])
                pauses.append(Double(try await SwitchRun.pause(kind, from: first, to: second)))
            }
            report.lines.append(DevicesReport.Line(kind: kind, pauses: pauses))
        }
        print(json ? try JSONText.lines(report) : report.text)
    }
}

/// One call in which a device is exchanged.
enum SwitchRun {
    /// How long nothing came from the devices at the exchange, in milliseconds. Throws ``BenchError/call(_:)``.
    static func pause(_ kind: DeviceKind, from first: MediaDevice, to second: MediaDevice) async throws -> Int {
        let (camera, microphone) =
            kind == .camera
            ? (CameraSource.preferred(first), MicrophoneSource.test) : (.test, .preferred(first))
        let pair = try await SessionPair(camera: camera, microphone: microphone)
        let measured = try await Result.of {
            try await pair.goesOn()
            await pair.one.select(second, as: kind)
            try await pair.goesOn()
            try await Task.sleep(for: .seconds(2))
            guard pair.devices[kind] == second else {
                throw BenchError.call(pair.notice ?? "“\(second.name)” could not be used")
            }
            return await pair.one.statistics().longestSwitch
        }
        await pair.close()
        return try measured.get()
    }
}

extension Result where Failure == any Error {
    /// What something gives, so that it can be cleaned up behind it.
    fileprivate static func of(_ body: () async throws -> Success) async throws -> Result {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}

/// What `parley-bench devices` found.
struct DevicesReport: Codable, Sendable, Equatable {
    /// One kind of device; milliseconds.
    struct Line: Codable, Sendable, Equatable {
        var kind: String
        var changes: Int
        var median: Double
        var longest: Double

        init(kind: DeviceKind, pauses: [Double]) {
            self.kind = kind.rawValue
            changes = pauses.count
            median = SetupReport.Line.median(pauses)
            longest = pauses.max() ?? 0
        }
    }

    var lines: [Line] = []
    /// What could not be measured, in sentences.
    var leftOut: [String] = []

    var text: String {
        var table = TextTable([("pause in ms", .left), ("changes", .right), ("median", .right), ("longest", .right)])
        for line in lines {
            table.add([line.kind, "\(line.changes)", "\(Int(line.median.rounded()))", "\(Int(line.longest.rounded()))"])
        }
        return ([table.text] + leftOut).joined(separator: "\n")
    }
}
