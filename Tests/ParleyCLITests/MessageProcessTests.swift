import Foundation
import TestSupport
import Testing

/// Short messages between processes.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MessageProcessTests {
    private func succeed(_ process: ChildProcess) async throws -> ChildProcess {
        #expect(try await process.exitStatus() == 0, "\(process.errors)")
        return process
    }

    @Test func `a message is sent, shown to who listens, and kept on both sides`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let listening = try town.start(
            town.profile("B") + ["listen", "--json", "--camera", "none", "--microphone", "none"])
        try await listening.event("listening")
        let sending = try await succeed(try town.start(town.profile("A") + ["send", "B", "hello\nyou", "--json"]))
        let sent = try #require(try sending.events().last { $0.name == "sent" })
        #expect(sent["contact"] as? String == "B")
        let told = try await listening.event("message")
        #expect(told["contact"] as? String == "A")
        #expect(told["text"] as? String == "hello\nyou")
        #expect(told["direction"] as? String == "incoming")
        listening.signal(SIGINT)
        #expect(try await listening.exitStatus() == 130)
        let kept = try await succeed(try town.start(town.profile("B") + ["messages", "A", "--json"]))
        let messages = try kept.events().filter { $0.name == "message" }
        #expect(messages.map { $0["text"] as? String } == ["hello\nyou"])
        let plain = try await succeed(try town.start(town.profile("B") + ["messages", "A"]))
        #expect(plain.lines.first?.hasSuffix("  A: hello") == true, "\(plain.lines)")
        #expect(plain.lines.last == "    you")
    }

    @Test func `what comes while nobody listens waits, and the last ones are shown`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        for text in ["one", "two", "three \u{202E}evil"] {
            let sending = try await succeed(try town.start(town.profile("A") + ["send", "B", text]))
            #expect(sending.lines == ["The message to B was sent."])
        }
        let listening = try town.start(
            town.profile("B") + ["listen", "--json", "--camera", "none", "--microphone", "none"])
        _ = try await listening.line { $0.contains("three") }
        listening.signal(SIGINT)
        _ = try await listening.exitStatus()
        let last = try await succeed(try town.start(town.profile("B") + ["messages", "A", "--limit", "2", "--json"]))
        let texts = try last.events().filter { $0.name == "message" }.map { $0["text"] as? String }
        #expect(texts == ["two", "three \u{FFFD}evil"])
    }

    @Test func `who can't be written to is told why`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let unknown = try town.start(town.profile("A") + ["send", "Nobody", "hi"])
        #expect(try await unknown.exitStatus() == 64)
        #expect(unknown.errors.contains("There is no contact called “Nobody”"), "\(unknown.errors)")
        let long = try town.start(town.profile("A") + ["send", "B", String(repeating: "a", count: 20_000)])
        #expect(try await long.exitStatus() == 1)
        #expect(long.errors.contains("The message is too long by 4"), "\(long.errors)")
        let empty = try await succeed(try town.start(town.profile("A") + ["messages", "B"]))
        #expect(empty.lines == ["There are no messages with B."])
        let limit = try town.start(town.profile("A") + ["messages", "B", "--limit", "0"])
        #expect(try await limit.exitStatus() == 64)
    }
}
