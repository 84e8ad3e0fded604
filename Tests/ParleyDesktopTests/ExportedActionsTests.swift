import Foundation
import Testing

/// What any program on the session bus may start in this one.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class ExportedActionsTests: DesktopSuite {
    @Test func `nothing that answers or shares is on the session bus`() throws {
        let parley = try fake(pause: 1_500)
        try parley.press("Call Cem Calls-Back")
        try parley.see("Incoming video call")
        let expected = [
            "about", "add-contact", "address", "bring-profile", "calls", "contacts", "find-call", "go-on", "help",
            "look-again", "preferences", "profile", "quit", "shortcuts", "try-again",
        ]
        #expect(try actions(of: parley) == expected)
        try parley.press("Accept with video")
        try parley.see("0:")
        try parley.press("Make the call small")
        try parley.see("Make the call large")
        #expect(try actions(of: parley) == expected)
    }

    /// The actions under every path of every name that the program has on the bus.
    private func actions(of parley: RunningProgram) throws -> [String] {
        var found: [String] = []
        for name in try bus("ListNames").matches(of: /'(:[0-9.]+)'/).map({ String($0.1) }) {
            let owner = try bus("GetConnectionUnixProcessID", name)
            guard owner.contains("uint32 \(parley.processIdentifier),") else { continue }
            let tree = try Tool.run(
                "gdbus", "introspect", "--session", "--dest", name, "--object-path", "/", "--recurse", mayFail: true)
            for path in tree.matches(of: /node (\/\S*) \{/).map({ String($0.1) }) {
                let answer = try Tool.run(
                    "gdbus", "call", "--session", "--dest", name, "--object-path", path, "--method",
                    "org.gtk.Actions.List", mayFail: true)
                found += answer.matches(of: /'([^']+)'/).map { String($0.1) }
            }
        }
        return found.sorted()
    }

    private func bus(_ method: String, _ arguments: String...) throws -> String {
        var words = [
            "gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus",
            "--method", "org.freedesktop.DBus." + method,
        ]
        words += arguments
        return try Tool.run(words, mayFail: true)
    }
}
