import Foundation
import NetworkEmulation
import TestSupport
import Testing

@testable import ParleyBench

@Suite(.needs(NetworkEmulator.obstacle))
struct NetworkCallTests {
    /// Makes a call over a plan's network; gives the figures of each second.
    private static func figures(
        of plan: String, seconds: Int, film: [String] = ["--film", "test"]
    ) async throws -> [NetworkFigures] {
        let folder = try TemporaryFolder()
        let program = try ChildProcess(
            ChildProcess.built("parley-bench"),
            ["network", "--plan", plan, "--seconds", "\(seconds)", "--json"] + film, folder: folder.path)
        #expect(try await program.exitStatus(within: .seconds(90)) == 0, "\(program.errors)")
        return try program.lines.map { try JSONDecoder().decode(NetworkFigures.self, from: Data($0.utf8)) }
    }

    /// Of each direction only what holds on a busy machine too: not how many pictures, but that those sent are shown.
    @Test(.timeLimit(.minutes(5)))
    func `pictures and sound keep coming both ways over a narrow link that loses packets`() async throws {
        let figures = try await Self.figures(of: "poor", seconds: 10)
        #expect(figures.count == 10)
        for path in [\NetworkFigures.forward, \NetworkFigures.backward] {
            let late = figures.dropFirst(4).map { $0[keyPath: path] }
            let sent = late.reduce(0) { $0 + $1.sent }
            #expect(sent > 6)
            #expect(late.reduce(0) { $0 + $1.shown } > sent / 3)
            #expect(late.reduce(0) { $0 + $1.sound } > 20)
            // The sender has found out that the link is no wide one.
            #expect(late.allSatisfy { $0.target < 1_000 })
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `voices alone come through a link on which pictures don't`() async throws {
        let figures = try await Self.figures(of: "modem", seconds: 8)
        for path in [\NetworkFigures.forward, \NetworkFigures.backward] {
            let late = figures.suffix(5).map { $0[keyPath: path] }
            #expect(late.allSatisfy { $0.shown == 0 })
            #expect(late.reduce(0) { $0 + $1.sound } > 20)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `pictures for which a link has no room are paused, and voices have it for themselves`() async throws {
        let figures = try await Self.figures(of: "starved", seconds: 40)
        for path in [\NetworkFigures.forward, \NetworkFigures.backward] {
            let late = figures.suffix(5).map { $0[keyPath: path] }
            #expect(figures.contains { $0[keyPath: path].sent > 0 })
            #expect(late.allSatisfy { $0.sent == 0 })
            #expect(late.reduce(0) { $0 + $1.sound } > 60)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `two screens and their sound come through beside cameras and voices`() async throws {
        let figures = try await Self.figures(of: "screen", seconds: 8)
        for path in [\NetworkFigures.forward, \NetworkFigures.backward] {
            let late = figures.dropFirst(3).map { $0[keyPath: path] }
            // How many depends on the machine's processors.
            for figure in [\NetworkFigures.Direction.screen, \.screenSound, \.sound, \.shown] {
                #expect(late.contains { $0[keyPath: figure] > 0 })
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `pictures of the generated film are compared with it where they are shown`() async throws {
        let figures = try await Self.figures(of: "clean", seconds: 10, film: [])
        for path in [\NetworkFigures.forward, \NetworkFigures.backward] {
            let similarities = figures.compactMap { $0[keyPath: path].similarity }
            #expect(similarities.contains { $0 > 0.5 } && similarities.allSatisfy { $0 <= 1 })
        }
    }
}
