import Cryptography
import Foundation
import Keyring
import TestSupport
import Testing

@testable import Parley

/// Keys under a passphrase, and keys that move.
@Suite(.timeLimit(.minutes(5))) struct PassphrasePlaceTests {
    private let folder: TemporaryFolder
    private let directory: ProfileDirectory
    private let keyring = FakeKeyring(failure: .missing(""))

    init() throws {
        folder = try TemporaryFolder()
        directory = try ProfileDirectory(path: folder.file("Ann"))
    }

    private func keeper(_ person: FakePerson? = nil) -> StoreKeyKeeper {
        StoreKeyKeeper(directory: directory, keyring: keyring, passphrases: person, cost: .least)
    }

    @Test func `a key under a passphrase opens with it and with nothing else`() async throws {
        let maker = FakePerson("correct horse")
        let opened = try await keeper(maker).open(.passphrase)
        #expect(opened.status == StoreKeyStatus(place: .passphrase))
        #expect(await maker.questions == [.new])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["key.json"])

        let owner = FakePerson("correct horse")
        #expect(try await keeper(owner).open(.automatic).key == opened.key)
        #expect(await owner.questions == [.open(isRepeat: false)])

        let guesser = FakePerson("horse", "battery", "staple", "correct horse")
        await #expect(throws: AccountError.wrongPassphrase) { try await keeper(guesser).open(.automatic) }
        #expect(await guesser.questions == [.open(isRepeat: false), .open(isRepeat: true), .open(isRepeat: true)])

        let second = FakePerson("wrong", "correct horse")
        #expect(try await keeper(second).open(.automatic).key == opened.key)
        let tired = FakePerson("wrong")
        await #expect(throws: AccountError.wrongPassphrase) { try await keeper(tired).open(.automatic) }
    }

    @Test func `without a passphrase nothing is made and nothing opens`() async throws {
        await #expect(throws: AccountError.passphraseNeeded) { try await keeper().open(.passphrase) }
        await #expect(throws: AccountError.passphraseNeeded) { try await keeper(FakePerson("")).open(.passphrase) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        _ = try await keeper(FakePerson("a")).open(.passphrase)
        await #expect(throws: AccountError.passphraseNeeded) { try await keeper().open(.automatic) }
        await #expect(throws: AccountError.passphraseNeeded) { try await keeper(FakePerson()).open(.automatic) }
    }

    @Test func `a file nobody chose moves under a passphrase that is given`() async throws {
        let key = try await keeper().open(.automatic).key
        let opened = try await keeper(FakePerson("a")).open(.passphrase)
        keeper().forgetOldPlaces(opened)
        #expect(opened.key == key)
        #expect(!KeyFile(directory).exists)
        #expect(try await keeper(FakePerson("a")).open(.automatic).key == key)
    }

    /// Profiles of this version have to open in every later one.
    @Test func `a record as first released opens`() async throws {
        let record = """
            {"isMakeshift":false,"name":"vBGp3V0caiikfXforfJY7w","place":"passphrase","sealedKey":{\
            "algorithm":"argon2id13+aes-256-gcm","memory":8192,"operations":1,"salt":"ZGVmZ2hpamtsbW5vcHFycw==","sealed":"AAECAwQFBgcICQoLtoyY3AePWbonB+RP0b9tScs6265a24zlIa+/gJ2a6TdZiMGyCWMYmf7TaG2dp1l+"},"version":1}
            """
        try record.write(toFile: directory.file("key.json"), atomically: true, encoding: .utf8)
        let key = try await keeper(FakePerson("correct horse battery staple")).open(.automatic).key
        #expect(key.bytes == [UInt8](0..<32))
    }

    @Test(arguments: ["operations", "memory", "salt", "sealed", "algorithm"])
    func `nothing of a sealed key can be changed`(_ field: String) async throws {
        _ = try await keeper(FakePerson("a")).open(.passphrase)
        let path = directory.file("key.json")
        var record = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any])
        var sealed = try #require(record["sealedKey"] as? [String: Any])
        switch sealed[field] {
        case let number as Int: sealed[field] = number * 2
        case let text as String where field == "algorithm": sealed[field] = text + "2"
        case let text as String: sealed[field] = (text.first == "A" ? "B" : "A") + text.dropFirst()
        default: Issue.record("no \(field)")
        }
        record["sealedKey"] = sealed
        try JSONSerialization.data(withJSONObject: record).write(to: URL(fileURLWithPath: path))
        await #expect(throws: AccountError.self) { try await keeper(FakePerson("a")).open(.automatic) }
    }

    @Test func `a cost that would exhaust the machine is refused`() async throws {
        _ = try await keeper(FakePerson("a")).open(.passphrase)
        let path = directory.file("key.json")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("\"memory\" : 8192"))
        try text.replacing("\"memory\" : 8192", with: "\"memory\" : 99999999999")
            .write(toFile: path, atomically: true, encoding: .utf8)
        await #expect(throws: AccountError.store(.keyRecordDamaged("key.json"))) {
            try await keeper(FakePerson("a")).open(.automatic)
        }
    }

    @Test(
        arguments: [StoreKeyPlace.secretService, .passphrase, .keyFile],
        [StoreKeyPlace.secretService, .passphrase, .keyFile])
    func `a key moves from anywhere to anywhere`(_ from: StoreKeyPlace, _ to: StoreKeyPlace) async throws {
        keyring.set { $0.failure = nil }
        let choice: StoreKeyChoice =
            switch from {
            case .secretService: .secretService
            case .passphrase: .passphrase
            case .keyFile, .unkept: .keyFile
            }
        let key = try await keeper(FakePerson("old")).open(choice).key
        let status = try await keeper().move(key, to: to, passphrase: Passphrase("new"))
        #expect(status == StoreKeyStatus(place: to))
        let opened = try await keeper(FakePerson("new")).open(.automatic)
        #expect(opened.key == key)
        #expect(opened.status.place == to)
        #expect(KeyFile(directory).exists == (to == .keyFile))
        #expect(keyring.count == (to == .secretService ? 1 : 0))
    }

    @Test func `a move that fails leaves the key where it was`() async throws {
        let key = try await keeper().open(.keyFile).key
        await #expect(throws: AccountError.self) { try await keeper().move(key, to: .secretService, passphrase: nil) }
        await #expect(throws: AccountError.passphraseNeeded) {
            try await keeper().move(key, to: .passphrase, passphrase: nil)
        }
        await #expect(throws: AccountError.self) { try await keeper().move(key, to: .unkept, passphrase: nil) }
        #expect(try await keeper().open(.automatic).key == key)
    }
}
