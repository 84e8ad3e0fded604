import BaseKit
import Foundation
import NetworkEmulation
import TestSupport
import Testing

/// Calls between two programs in two emulated networks, the relay beside the second one, while the way between them breaks.
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .needs(NetworkEmulator.obstacle))
struct BrokenPathTests {
    @Test func `a call goes on after the caller's address changed and after a cut of thirty seconds`() async throws {
        let town = try await DividedTown()
        let call = try await town.call(from: town.network.first, to: town.network.second)

        _ = try town.network.move(town.network.first, to: 11)
        try await call.hasMoved(to: 1)
        try await call.picturesGoOn()

        town.network.cut()
        let end = Instant.now + .seconds(30)
        for process in [call.caller, call.callee] { try await process.event("reconnecting", after: "moved") }
        // A router forgets in such a time; so neither the old path nor the connection to the relay comes back.
        town.network.rebind()
        try await Task.sleep(for: end - .now)
        town.network.restore()
        for process in [call.caller, call.callee] { try await process.event("reconnected", after: "reconnecting") }
        try await call.picturesGoOn()
        try await call.end()
        town.network.stop()
    }

    @Test func `a call goes on after the callee's address changed twice its cable was pulled and its way was cut`()
        async throws
    {
        let town = try await DividedTown()
        let call = try await town.call(from: town.network.second, to: town.network.first)
        let moved = try town.network.move(town.network.first, to: 12)
        try await call.hasMoved(to: 1)
        let again = try town.network.move(moved, to: 13)
        try await call.hasMoved(to: 2)
        try town.network.unplug(again)
        for process in [call.caller, call.callee] { try await process.event("reconnecting", after: "moved") }
        try town.network.plug(again)
        for process in [call.caller, call.callee] { try await process.event("reconnected", after: "reconnecting") }
        try await call.picturesGoOn()

        town.network.cut()
        for process in [call.caller, call.callee] { try await process.event("reconnecting", after: "reconnected") }
        town.network.restore()
        for process in [call.caller, call.callee] { try await process.event("reconnected", after: "reconnecting") }
        try await call.picturesGoOn()
        try await call.end()
        town.network.stop()
    }

    /// Neither the call's packets nor the connection to the relay get through any more, and nobody is told.
    @Test func `a call goes on after the callee's router forgot its ports`() async throws {
        let town = try await DividedTown()
        let call = try await town.call(from: town.network.second, to: town.network.first)
        town.network.rebind()
        // With luck the other path is there before either end misses the first one.
        for process in [call.caller, call.callee] {
            _ = try await process.line { ["reconnected", "moved"].contains((try? Event($0))?.name) }
        }
        try await call.picturesGoOn()
        try await call.end()
        town.network.stop()
    }
}

/// Two networks with one way between them; the relay is in the second.
final class DividedTown: Sendable {
    let network: NetworkEmulator
    private let folder: TemporaryFolder
    private let relay: String
    private let server: ChildProcess

    init() async throws {
        network = try NetworkEmulator()
        folder = try TemporaryFolder()
        server = try Self.start(
            "parley-relay", ["--listen", "\(network.second.address):0", "--state", folder.file("relay")],
            in: network.second, folder)
        let line = try await server.line { $0.hasPrefix("relay smp://") }
        relay = String(line.dropFirst("relay ".count))
    }

    /// Two people get to know each other, and one calls the other with test picture and tone.
    func call(from first: NetworkEmulator.Side, to second: NetworkEmulator.Side) async throws -> BrokenCall {
        let inviting = try start(profile("A") + ["invite", "--json"], in: first)
        let link = try #require(try Event(try await inviting.event("link").line)["link"] as? String)
        let connecting = try start(profile("B") + ["connect", link, "--json"], in: second)
        #expect(try await connecting.exitStatus() == 0, "\(connecting.errors)")
        #expect(try await inviting.exitStatus() == 0, "\(inviting.errors)")
        let devices = ["--json", "--statistics", "--camera", "test", "--microphone", "test"]
        let callee = try start(profile("B") + ["listen", "--accept", "--once"] + devices, in: second)
        try await callee.event("listening")
        let caller = try start(profile("A") + ["call", "B"] + devices, in: first)
        for process in [caller, callee] { try await process.event("firstFrame") }
        let id = try await callee.event("incoming")["call"] as? String
        return BrokenCall(caller: caller, callee: callee, id: try #require(id))
    }

    private func profile(_ name: String) -> [String] {
        ["--profile", folder.file(name), "--relay", relay, "--key-file"]
    }

    private func start(_ arguments: [String], in side: NetworkEmulator.Side) throws -> ChildProcess {
        try Self.start("parley-cli", arguments, in: side, folder)
    }

    private static func start(
        _ program: String, _ arguments: [String], in side: NetworkEmulator.Side, _ folder: TemporaryFolder
    ) throws -> ChildProcess {
        let words = side.prefix + [ChildProcess.built(program)] + arguments
        return try ChildProcess(words[0], Array(words.dropFirst()), folder: folder.path)
    }
}

/// The two ends of a call over a way that breaks.
struct BrokenCall {
    let caller: ChildProcess
    let callee: ChildProcess
    /// The call's name on the callee's side.
    let id: String

    /// Waits until both ends have taken the transport of this number.
    func hasMoved(to number: Int) async throws {
        for process in [caller, callee] {
            _ = try await process.line(within: .seconds(30)) { (try? Event($0))?.number("transport") == number }
        }
    }

    /// Waits until both ends show more pictures than now.
    func picturesGoOn() async throws {
        for process in [caller, callee] {
            let now = try process.events().last { $0.name == "statistics" }?.number("receivedPictures") ?? 0
            _ = try await process.line(within: .seconds(30)) { line in
                ((try? Event(line))?.number("receivedPictures") ?? 0) > now + 20
            }
        }
    }

    /// Ends the call and checks that it was one whole call on both sides.
    func end() async throws {
        let events = [try caller.events(), try callee.events()]
        caller.signal(SIGINT)
        #expect(try await caller.exitStatus() == 0, "\(caller.errors)")
        #expect(try await callee.exitStatus() == 0, "\(callee.errors)")
        for (process, before) in zip([caller, callee], events) {
            #expect(before.filter { $0.name == "firstFrame" }.count == 1)
            #expect(!before.contains { $0.name == "ended" })
            let summary = try await process.event("summary")
            #expect(summary["result"] as? String == "completed")
            for direction in ["sent", "received"] {
                #expect(summary.counts(direction)["framesRejected"] as? Int == 0, "\(summary.line)")
                #expect(summary.counts(direction)["frameEncryption"] as? String == "aes-256-gcm")
                #expect(summary.counts(direction)["fingerprintVerified"] as? Bool == true)
            }
        }
    }
}

extension Event {
    fileprivate func number(_ key: String) -> Int? { self[key] as? Int }
}

extension ChildProcess {
    /// Waits for an event that comes after another one.
    @discardableResult
    fileprivate func event(_ name: String, after other: String) async throws -> Event {
        _ = try await line { line in
            let names = lines.compactMap { try? Event($0).name }
            guard let place = names.lastIndex(of: other) else { return false }
            return names[place...].contains(name) && line.contains("\"event\":\"\(name)\"")
        }
        return try #require(try events().last { $0.name == name })
    }
}
