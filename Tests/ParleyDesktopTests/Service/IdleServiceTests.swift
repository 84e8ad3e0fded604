import Foundation
import Testing

/// A Parley that waits for calls, with and without a window: it sleeps.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class IdleServiceTests: DesktopSuite {
    /// How long is looked, in seconds: too long for a timer of ours that goes off four times a minute to stay unseen, short enough to lie
    /// between two of those that go off once a minute.
    private static let window = 40
    /// How often its threads may wait meanwhile: a little for what the screen or the bus asks for.
    private static let waits = 4

    @Test func `a Parley that has nothing to do sleeps`() throws {
        let town = try ServiceTown()
        let relayElsewhere = try town.startService()
        let ownRelay = try RunningProgram(
            ["--service", "--key-file", "--name", "Ada", "--profile", try RunningProgram.emptyFolder().path])
        let open = try RunningProgram(
            [
                "--no-welcome", "--key-file", "--name", "Bea", "--profile", try RunningProgram.emptyFolder().path,
                "--camera", "test", "--microphone", "test",
            ])
        let programs = [
            "with a relay elsewhere": relayElsewhere, "with a relay of its own": ownRelay, "with a window": open,
        ]
        atEnd { for program in programs.values { program.kill() } }
        try open.see("Video call with Test call")

        var awake = programs
        var seen: [String: [[Int]]] = [:]
        for _ in 0..<6 where !awake.isEmpty {
            var watches = awake.mapValues { ThreadWatch($0.processIdentifier) }
            // Threads that come and go are seen while they are there.
            for _ in 0..<Self.window {
                sleep(1)
                for name in watches.keys { watches[name]?.look() }
            }
            for (name, program) in awake {
                #expect(program.isRunning, "\(program.output)")
                let waits = watches[name]?.waits ?? []
                seen[name, default: []].append(waits)
                if waits.reduce(0, +) <= Self.waits { awake[name] = nil }
            }
        }
        for name in awake.keys {
            Issue.record("\(name) its threads have waited so often, each time: \(seen[name] ?? [])")
        }
    }
}

/// How often the threads of a process have waited for something since a moment, also those that have gone meanwhile.
private struct ThreadWatch {
    private let process: Int32
    private let before: [String: Int]
    private var latest: [String: Int]

    init(_ process: Int32) {
        self.process = process
        before = Self.counts(process)
        latest = before
    }

    /// Takes in how it is now.
    mutating func look() { latest.merge(Self.counts(process)) { $1 } }

    /// By thread, the most first.
    var waits: [Int] { latest.map { $0.value - (before[$0.key] ?? 0) }.filter { $0 > 0 }.sorted(by: >) }

    private static func counts(_ process: Int32) -> [String: Int] {
        let folder = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var counts: [String: Int] = [:]
        for thread in threads {
            let status = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            counts[thread] = line?.split(separator: "\t").last.flatMap { Int($0) }
        }
        return counts
    }
}
