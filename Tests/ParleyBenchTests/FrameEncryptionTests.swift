import Foundation
import TestSupport
import Testing

@testable import ParleyBench

/// Frame encryption beside libcrypto alone.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FrameEncryptionTests {
    @Test func `what is allocated and given back at once is counted`() {
        var address: UnsafeMutableRawPointer?
        let count = AllocationCount.during {
            for _ in 0..<100 {
                address = malloc(64)
                free(address)
            }
        }
        #expect(count >= 100)
    }

    @Test func `a report says the medians, and which line misses the aim`() {
        let slow = FrameEncryptionReport.Line(
            frame: "sound", bytes: 80, operation: "seal", times: [(100, 100), (240, 200), (130, 100)], allocations: 0)
        let allocating = FrameEncryptionReport.Line(
            frame: "sound", bytes: 80, operation: "open", times: [(100, 100)], allocations: 2)
        let good = FrameEncryptionReport.Line(
            frame: "picture", bytes: 1_000, operation: "seal", times: [(115, 100)], allocations: 0)
        #expect(slow.parley == 130 && slow.libcrypto == 100 && slow.ratio == 1.2)
        #expect([slow, allocating, good].map(\.meetsAim) == [false, false, true])
        let rows = FrameEncryptionReport(lines: [slow, allocating, good]).text.split(separator: "\n")
        #expect(rows.count { $0.contains("| missed") } == 2 && rows.count { $0.contains("| met") } == 1)
    }

    @Test func `the program measures every size without an allocation a frame`() async throws {
        let folder = try TemporaryFolder()
        let program = try ChildProcess(
            ChildProcess.built("parley-bench"), ["frame-encryption", "--turns", "2", "--json"], folder: folder.path)
        #expect(try await program.exitStatus(within: .seconds(150)) == 0, "\(program.errors)")
        let output = program.lines.joined(separator: "\n")
        let report = try JSONDecoder().decode(FrameEncryptionReport.self, from: Data(output.utf8))
        #expect(report.lines.count == 2 * FrameEncryptionRun.Load.usual.count)
        #expect(report.lines.allSatisfy { $0.parley > 0 && $0.libcrypto > 0 && $0.ratio > 0 })
        // Code that is not optimised allocates where the other does not.
        #if !DEBUG
            #expect(report.lines.allSatisfy { $0.allocations == 0 })
        #endif
    }
}
