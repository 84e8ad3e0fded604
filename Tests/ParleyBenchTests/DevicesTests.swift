import Foundation
import Media
import TestSupport
import Testing

@testable import ParleyBench

@Suite(.timeLimit(.minutes(5))) struct DevicesTests {
    private static let programs = ["pipewire", "wireplumber", "pipewire-pulse", "pactl"]
    private static let obstacle: String? = programs.first {
        !FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }.map { "\($0) is not installed." }

    private func script() -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../meson-helpers/virtual-devices"
        ).standardized.path
    }

    @Test(.needs(obstacle), .timeLimit(.minutes(5)))
    func `changes of camera and microphone are measured with virtual devices`() async throws {
        let folder = try TemporaryFolder()
        let program = try ChildProcess(
            "/usr/bin/env", [script(), ChildProcess.built("parley-bench"), "devices", "--rounds", "1", "--json"],
            folder: folder.path)
        #expect(try await program.exitStatus(within: .seconds(90)) == 0, "\(program.errors)")
        let output = program.lines.joined(separator: "\n")
        let report = try JSONDecoder().decode(DevicesReport.self, from: Data(output.utf8))
        #expect(report.lines.map(\.kind) == ["camera", "microphone"])
        #expect(report.lines.allSatisfy { $0.changes == 1 && $0.longest > 0 })
        #expect(report.leftOut.isEmpty)
    }

    @Test func `the table has a line for each kind, and says what is left out`() {
        var report = DevicesReport()
        report.lines = [DevicesReport.Line(kind: .camera, pauses: [90, 110, 100])]
        report.leftOut = ["Fewer than two microphones were found."]
        #expect(
            report.text == """
                | pause in ms | changes | median | longest |
                |-------------|--------:|-------:|--------:|
                | camera      |       3 |    100 |     110 |
                Fewer than two microphones were found.
                """)
    }
}
