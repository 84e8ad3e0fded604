import Foundation
import TestSupport
import Testing

/// A contact that is blocked and unblocked, between processes.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BlockingProcessTests {
    private func succeed(_ process: ChildProcess) async throws -> ChildProcess {
        #expect(try await process.exitStatus() == 0, "\(process.errors)")
        return process
    }

    @Test func `a blocked contact is shown so and not called until it is unblocked`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let plain = try await succeed(try town.start(town.profile("A") + ["contacts", "--json"]))
        #expect(try plain.events().first?.keys.contains("blocked") == false)
        let blocking = try await succeed(try town.start(town.profile("A") + ["block", "B"]))
        #expect(blocking.lines == ["B is blocked."])
        let list = try await succeed(try town.start(town.profile("A") + ["contacts", "--json"]))
        #expect(try list.events().first?["blocked"] as? Bool == true)
        let words = try await succeed(try town.start(town.profile("A") + ["contacts"]))
        #expect(words.lines == ["B (connected, blocked)"])
        let call = try town.start(
            town.profile("A") + ["call", "B", "--audio", "--camera", "none", "--microphone", "none"])
        #expect(try await call.exitStatus() == 1)
        #expect(call.errors.contains("B is blocked. Unblock them to call or write."), "\(call.errors)")
        let unblocking = try await succeed(try town.start(town.profile("A") + ["unblock", "B", "--json"]))
        #expect(try unblocking.events().last?.name == "unblocked")
        #expect(try unblocking.events().last?["contact"] as? String == "B")
        let again = try await succeed(try town.start(town.profile("A") + ["contacts"]))
        #expect(again.lines == ["B (connected)"])
    }

    @Test func `who is blocked hears it ring and nobody is told`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        _ = try await succeed(try town.start(town.profile("B") + ["block", "A"]))
        let callee = try town.start(
            town.profile("B") + ["listen", "--json", "--camera", "none", "--microphone", "none"])
        try await callee.event("listening")
        let caller = try town.start(
            town.profile("A") + [
                "call", "B", "--audio", "--json", "--ring-for", "5", "--camera", "none", "--microphone", "none",
            ])
        try await caller.event("delivered")
        #expect(try await caller.exitStatus() == 1)
        #expect(try await caller.event("ended")["reason"] as? String == "cancelled")
        callee.signal(SIGINT)
        #expect(try await callee.exitStatus() == 130, "there was a call: \(callee.lines)")
        let told = Set(try callee.events().map(\.name))
        #expect(told.isDisjoint(with: ["incoming", "missed", "refused", "ended", "summary"]), "\(told)")
    }
}
