import Foundation
import SFURules
import Signaling
import TestSupport
import Testing

@testable import ParleyCLI

@Suite(.timeLimit(.minutes(5))) struct GroupServerOptionsTests {
    @Test func `what the server wants to see is read from lines of a file`() {
        let keys = GroupServerPlace.keys("# mine\nroom-key a\n\ntoken b\r\ntoken-secret c\n")
        #expect(
            keys == SFUKeys(roomKey: SecretText("a"), token: SecretText("b"), tokenSecret: SecretText("c")))
    }

    @Test(arguments: ["room-key", "room-key a b", "key a", "token-secret"])
    func `a line that is none has the file refused`(line: String) { #expect(GroupServerPlace.keys(line) == nil) }

    @Test func `a server without encryption elsewhere is refused`() {
        #expect(throws: (any Error).self) { try GroupServerOptions.parse(["--janus", "ws://sfu.example/"]) }
        #expect(throws: Never.self) { try GroupServerOptions.parse(["--janus", "wss://sfu.example/"]) }
    }

    @Test func `keys without a server are refused`() throws {
        let folder = try TemporaryFolder()
        try Data("room-key a".utf8).write(to: URL(fileURLWithPath: folder.file("keys")))
        #expect(throws: (any Error).self) { try GroupServerOptions.parse(["--janus-keys", folder.file("keys")]) }
        let options = try GroupServerOptions.parse([
            "--janus", "ws://127.0.0.1:1/", "--janus-keys", folder.file("keys"), "--janus-always",
        ])
        #expect(try options.server()?.keys.roomKey == SecretText("a"))
        #expect(try options.server()?.isAlwaysUsed == true)
    }
}
