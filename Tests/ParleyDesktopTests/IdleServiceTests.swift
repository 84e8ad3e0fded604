import Foundation
import XCTest

/// A Parley that waits for calls without a window: it sleeps.
final class IdleServiceTests: DesktopTestCase {
    /// libdispatch looks once a second whether its threads are blocked, in every Swift program on Linux (`_dispatch_workq_monitor_pools`).
    private static let ofLibrary = 1

    func testAServiceWithARelayElsewhereSleeps() throws {
        let town = try ServiceTown()
        let ada = try town.startService()
        addTeardownBlock { ada.kill() }
        try sleeps(ada)
    }

    func testAServiceWithARelayOfItsOwnSleeps() throws {
        let ada = try RunningProgram(
            ["--service", "--key-file", "--name", "Ada", "--profile", try RunningProgram.emptyFolder().path])
        addTeardownBlock { ada.kill() }
        try sleeps(ada)
    }

    /// Waits until in some ten seconds its threads have gone to sleep hardly more often than the library has them: a timer of ours that
    /// goes off once a second or more often never lets that be.
    private func sleeps(_ program: RunningProgram) throws {
        let seconds = 10
        var counts: [Int] = []
        for _ in 0..<8 {
            let before = switches(of: program)
            sleep(UInt32(seconds))
            XCTAssertTrue(program.isRunning, program.output)
            counts.append(switches(of: program) - before)
            if let last = counts.last, last < (Self.ofLibrary + 1) * seconds - 5 { return }
        }
        XCTFail("it wakes up \(counts) times in \(seconds) seconds")
    }

    /// How often all its threads have waited for something so far.
    private func switches(of program: RunningProgram) -> Int {
        let folder = "/proc/\(program.processIdentifier)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.reduce(0) { sum, thread in
            let status = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }
}
