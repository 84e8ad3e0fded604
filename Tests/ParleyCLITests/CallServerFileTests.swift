import MediaRules
import TestSupport
import Testing

@testable import ParleyCLI

@Suite(.timeLimit(.minutes(5))) struct CallServerFileTests {
    @Test func `servers are read with their logins`() throws {
        let servers = try CallServerFile.parse(
            """
            # ours
            stun:stun.example.org

            turn:turn.example.org:3478?transport=tcp user ann hush
              turns:turn.example.org secret shared ann authorities /etc/ours.pem
            turns:[2001:db8::1]:443 secret shared
            """)
        #expect(
            servers == [
                ICEServer(url: "stun:stun.example.org"),
                ICEServer(url: "turn:turn.example.org:3478?transport=tcp", username: "ann", credential: "hush"),
                ICEServer(
                    url: "turns:turn.example.org", secret: "shared", username: "ann", authorities: "/etc/ours.pem"),
                ICEServer(url: "turns:[2001:db8::1]:443", secret: "shared"),
            ])
    }

    @Test(arguments: [
        ("turn:x", "line 1: A TURN server needs"), ("\n\nhttp:x", "line 3: The address of a server"),
        ("turn:x user ann", "line 1: after the address follows"), ("turn:x hush", "line 1: after"),
        ("turn:x user ann hush more", "line 1: after"),
    ]) func `a mistake is told with its line`(text: String, sentence: String) {
        do {
            _ = try CallServerFile.parse(text)
            Issue.record("It was read.")
        } catch {
            #expect(error.description.hasPrefix(sentence))
            #expect(!error.description.contains("hush"))
        }
    }

    @Test func `more servers than are used are refused`() {
        #expect(throws: CallServerFile.Mistake.self) {
            try CallServerFile.parse((0..<9).map { "stun:s\($0).example.org" }.joined(separator: "\n"))
        }
    }
}
