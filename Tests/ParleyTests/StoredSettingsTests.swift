import Foundation
import TestSupport
import Testing

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct StoredSettingsTests {
    private let folder: TemporaryFolder
    private let directory: ProfileDirectory
    private let relay = "smp://\(String(repeating: "A", count: 43))=@127.0.0.1:5223"

    init() throws {
        folder = try TemporaryFolder()
        directory = try ProfileDirectory(path: folder.file("Zoe"))
    }

    @Test func `whether the router is asked for a port is remembered, and is off before`() throws {
        var settings = try StoredSettings(directory)
        #expect(!settings.opensPort)
        try settings.rememberPort(opens: true)
        #expect(try StoredSettings(directory).opensPort)
        try settings.rememberPort(opens: false)
        #expect(try !StoredSettings(directory).opensPort)
    }

    @Test func `takes the folders name when none was ever given`() throws {
        var settings = try StoredSettings(directory)
        #expect(try settings.displayName(nil) == "Zoe")
        #expect(try settings.displayName("") == "Zoe")
    }

    @Test func `remembers the name that was given`() throws {
        var first = try StoredSettings(directory)
        #expect(try first.displayName("Zoë") == "Zoë")
        var second = try StoredSettings(directory)
        #expect(try second.displayName(nil) == "Zoë")
    }

    @Test func `remembers the relay`() throws {
        var first = try StoredSettings(directory)
        #expect(try first.relays(.external([relay])).count == 1)
        var second = try StoredSettings(directory)
        #expect(try second.relays(.external([])) == first.relays(.external([])))
    }

    @Test func `remembers how messages are routed`() throws {
        var first = try StoredSettings(directory)
        #expect(try first.privateRouting(nil) == nil)
        #expect(try first.privateRouting(.always) == .always)
        var second = try StoredSettings(directory)
        #expect(try second.privateRouting(nil) == .always)
    }

    @Test func `remembers whether the person takes no calls, and that they never said`() throws {
        var first = try StoredSettings(directory)
        #expect(first.isBusy == nil)
        for isBusy in [true, false] {
            try first.remember(isBusy: isBusy)
            #expect(try StoredSettings(directory).isBusy == isBusy)
        }
    }

    @Test func `a relay inside the program is no proxy unless it is asked for`() {
        let embedded = AccountConfiguration.Relays.embedded(host: "127.0.0.1", port: 0)
        #expect(embedded.routing(nil) == .never)
        #expect(embedded.routing(.always) == .always)
        #expect(AccountConfiguration.Relays.external([]).routing(nil) == .unknownRelays)
        #expect(AccountConfiguration.Relays.external([]).routing(.never) == .never)
    }

    @Test func `knows no relay before one was named`() throws {
        var settings = try StoredSettings(directory)
        #expect(try settings.relays(.external([])).isEmpty)
    }

    @Test func `forgets nothing when only one thing changes`() throws {
        var first = try StoredSettings(directory)
        _ = try first.relays(.external([relay]))
        var second = try StoredSettings(directory)
        _ = try second.displayName("Zoë")
        var third = try StoredSettings(directory)
        #expect(try third.relays(.external([])).count == 1)
    }

    @Test(arguments: ["", "smp://", "http://example.org", "smp://AAAA@host", "smp://AAAA"])
    func `refuses what is no relay address`(_ text: String) throws {
        var settings = try StoredSettings(directory)
        #expect(throws: AccountError.relayAddress(text)) { try settings.relays(.external([text])) }
        #expect(!AccountConfiguration.isRelayAddress(text))
    }

    @Test func `does not remember a refused relay`() throws {
        var first = try StoredSettings(directory)
        #expect(throws: AccountError.self) { try first.relays(.external(["nonsense"])) }
        var second = try StoredSettings(directory)
        #expect(try second.relays(.external([])).isEmpty)
    }

    private var file: String { directory.file("settings.json") }

    @Test(arguments: ["{", "[]", "\u{0}\u{0}\u{0}", "{\"relays\": 7}"])
    func `reads a damaged file as none says so and leaves it aside`(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        var settings = try StoredSettings(directory)
        #expect(try settings.relays(.external([])).isEmpty)
        #expect(settings.loss == .damaged(aside: "settings.json.damaged"))
        #expect(FileManager.default.contents(atPath: file + ".damaged") == Data(text.utf8))
        // Told once: what follows is whole again.
        #expect(try StoredSettings(directory).loss == nil)
    }

    @Test func `reads an empty file as none and says so`() throws {
        try Data().write(to: URL(fileURLWithPath: file))
        var settings = try StoredSettings(directory)
        #expect(settings.loss == .empty)
        #expect(try settings.displayName(nil) == "Zoe")
        #expect(!FileManager.default.fileExists(atPath: file + ".damaged"))
        #expect(try StoredSettings(directory).loss == nil)
    }

    @Test func `say nothing of a profile that is new`() throws {
        #expect(try StoredSettings(directory).loss == nil)
    }

    @Test func `refuses a file that cannot be read`() throws {
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        #expect(throws: AccountError.folder(file)) { try StoredSettings(directory) }
    }

    @Test func `only the owner may read the file also one of an earlier version`() throws {
        func mode() throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int)
        }
        var settings = try StoredSettings(directory)
        _ = try settings.displayName("Zoë")
        #expect(try mode() == 0o600)
        #expect(chmod(file, 0o644) == 0)
        _ = try StoredSettings(directory)
        #expect(try mode() == 0o600)
    }
}
