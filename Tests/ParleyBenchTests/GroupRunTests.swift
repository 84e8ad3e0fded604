import Foundation
import NetworkEmulation
import TestSupport
import Testing

@testable import ParleyBench

@Suite struct GroupRunTests {
    /// Runs short calls of small pictures; gives the figures of each.
    private func calls(_ words: [String]) async throws -> [GroupFigures] {
        let folder = try TemporaryFolder()
        let program = try ChildProcess(
            ChildProcess.built("parley-bench"),
            ["group", "--height", "180", "--settle", "1", "--seconds", "2", "--json"] + words, folder: folder.path)
        #expect(try await program.exitStatus(within: .seconds(120)) == 0, "\(program.errors)")
        return try JSONDecoder().decode(GroupReport.self, from: Data(program.lines.joined().utf8)).calls
    }

    @Test(.timeLimit(.minutes(5)))
    func `calls of two and three are measured, and the webrtcbins beside them`() async throws {
        let calls = try await calls(["--people", "3"])
        #expect(calls.map(\.people) == [2, 3])
        for call in calls {
            #expect(call.processor > 0 && call.memory > 1 && call.threads > 3 && call.joining > 0)
            #expect(call.pictures > 0 && call.height > 0 && call.rate > 0 && call.refused == 0)
            #expect(try #require(call.bareProcessor) > 0)
            #expect(try #require(call.bareJoining) > 0)
            #expect(call.lossyPictures == nil)
        }
        #expect(calls[1].rate > calls[0].rate)
    }

    @Test(
        .onlyWhere(MeasuredJanus.hasNetwork, "A Janus sends no media by loopback."), .timeLimit(.minutes(5)))
    func `a Janus that ends at once is told with its last words`() async throws {
        let folder = try TemporaryFolder()
        let program = folder.file("janus")
        try Data("#!/bin/sh\necho no room\n".utf8).write(to: URL(fileURLWithPath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        await #expect(throws: BenchError.janusFailed("no room")) {
            try await MeasuredJanus.start(program, in: nil).stop()
        }
    }

    @Test(
        .needs(JanusServer.obstacle),
        .onlyWhere(MeasuredJanus.hasNetwork, "A Janus sends no media by loopback."), .timeLimit(.minutes(5)))
    func `a call over a Janus is measured, and the Janus with it`() async throws {
        let calls = try await calls(["--janus", "--people", "3"])
        #expect(calls.map(\.people) == [3])
        for call in calls {
            #expect(call.processor > 0 && call.memory > 1 && call.threads > 3 && call.joining > 0)
            // On a busy machine the pair that has the fewest pictures may have none.
            #expect(call.height > 0 && call.rate > 0)
            #expect(try #require(call.janusProcessor) > 0)
            #expect(call.bareProcessor == nil && call.lossyPictures == nil)
        }
    }

    @Test(
        .needs(JanusServer.obstacle),
        .onlyWhere(MeasuredJanus.hasNetwork, "A Janus sends no media by loopback."), .timeLimit(.minutes(5)))
    func `where one sees the others, what it receives is measured`() async throws {
        let call = try #require(try await calls(["--janus", "--people", "3", "--viewers", "1"]).first)
        #expect(call.people == 3 && call.viewers == 1)
        #expect(call.processor > 0 && call.joining > 0 && call.rate > 0)
    }

    @Test(
        .needs(JanusServer.obstacle),
        .onlyWhere(MeasuredJanus.hasNetwork, "A Janus sends no media by loopback."), .timeLimit(.minutes(5)))
    func `what is left out while a call goes from a room to direct ways and back is measured`() async throws {
        let call = try #require(try await calls(["--janus", "--people", "3", "--hand-over"]).first)
        // At least the time between two pictures, and between two pieces of sound.
        for gap in [call.toMeshGap, call.toRoomGap] { #expect(try #require(gap) >= 20) }
        for gap in [call.toMeshSoundGap, call.toRoomSoundGap] { #expect(try #require(gap) >= 10) }
    }

    @Test(.needs(JanusServer.obstacle ?? NetworkEmulator.obstacle), .timeLimit(.minutes(5)))
    func `what a bad link to a Janus does to the last one is measured`() async throws {
        let call = try #require(try await calls(["--janus", "--people", "3", "--link"]).first)
        #expect(call.lossyPictures != nil)
        #expect(try #require(call.narrowGap) > 0)
        #expect(try #require(call.janusProcessor) > 0)
    }

    @Test(.needs(NetworkEmulator.obstacle), .timeLimit(.minutes(5)))
    func `what a bad link does to the last one is measured`() async throws {
        let call = try #require(try await calls(["--people", "2", "--link", "--parley-only"]).first)
        #expect(try #require(call.lossyPictures) > 0)
        #expect(try #require(call.narrowGap) > 0)
        #expect(call.bareProcessor == nil)
    }
}
