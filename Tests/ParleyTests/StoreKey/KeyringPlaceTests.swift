import Cryptography
import Foundation
import Keyring
import TestSupport
import Testing

@testable import Parley

/// Keys that are made, kept and found in a keyring or a file.
@Suite(.timeLimit(.minutes(5))) struct KeyringPlaceTests {
    private let folder: TemporaryFolder
    private let directory: ProfileDirectory
    private let keyring = FakeKeyring()

    init() throws {
        folder = try TemporaryFolder()
        directory = try ProfileDirectory(path: folder.file("Ann"))
    }

    private var keeper: StoreKeyKeeper {
        StoreKeyKeeper(directory: directory, keyring: keyring, passphrases: nil, cost: .least)
    }

    private var file: KeyFile { KeyFile(directory) }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func `a new key goes into the keyring alone`() async throws {
        let opened = try await keeper.open(.automatic)
        #expect(opened.key.count == 32)
        #expect(opened.status == StoreKeyStatus(place: .secretService))
        #expect(keyring.only == opened.key)
        #expect(!file.exists)
        #expect(try await keeper.open(.automatic).key == opened.key)
        #expect(try mode(directory.file("key.json")) == 0o600)
        let record = try #require(FileManager.default.contents(atPath: directory.file("key.json")))
        #expect(record.range(of: Data(opened.key.hexadecimal.bytes)) == nil)
    }

    @Test(arguments: [true, false])
    func `the keyring asks only when it may`(_ mayAsk: Bool) async throws {
        _ = try await keeper.open(.automatic)
        keyring.set { ($0.mayAsk, $0.failure) = ([], .locked) }
        var keeper = keeper
        keeper.mayAsk = mayAsk
        await #expect(throws: AccountError.keyring(.service(.locked))) { try await keeper.open(.automatic) }
        #expect(keyring.content.withLock { $0.mayAsk } == [mayAsk])
    }

    @Test func `a profile waits for its keyring, and for that alone`() async throws {
        let key = try await keeper.open(.automatic).key
        keyring.set { $0.failure = .locked }
        let names = keyring.content.withLock { Array($0.secrets.keys) }
        async let waiting: Void = keeper.waitForKeyring()
        try await waitUntil("it waits") { keyring.content.withLock { $0.waitedFor } == names }
        keyring.set { $0.failure = nil }
        try await waiting
        _ = try await keeper.move(key, to: .keyFile, passphrase: nil)
        try await keeper.waitForKeyring()
        #expect(keyring.content.withLock { $0.waitedFor } == names)
    }

    @Test func `a profile that could not be opened finds the port of its relay free the next time`() async throws {
        var configuration = AccountConfiguration(directory: folder.file("Cem"))
        configuration.relays = .embedded(host: "127.0.0.1", port: 0)
        configuration.keyring = keyring
        let first = try await Account.open(configuration)
        let address = await first.embedded?.address
        await first.close()
        keyring.set { $0.failure = .locked }
        await #expect(throws: AccountError.keyring(.service(.locked))) { try await Account.open(configuration) }
        keyring.set { $0.failure = nil }
        let second = try await Account.open(configuration)
        let again = await second.embedded?.address
        #expect(address != nil && again == address)
        await second.close()
    }

    @Test func `only what the keyring's opening mends is for its opening to wait for`() {
        for error in [KeyringError.locked, .missing(""), .silent] {
            #expect(AccountError.keyring(.service(error)).isOfClosedKeyring)
        }
        for error in [AccountError.keyring(.service(.refused(message: ""))), .keyring(.lacksKey), .passphraseNeeded] {
            #expect(!error.isOfClosedKeyring)
        }
    }

    @Test func `a keyring that is away when the key leaves it is told later`() async throws {
        let key = try await keeper.open(.automatic).key
        keyring.set { $0.failure = .locked }
        let moved = try await keeper.move(key, to: .keyFile, passphrase: nil)
        #expect(moved == StoreKeyStatus(place: .keyFile, isLeftInKeyring: true))
        #expect(keyring.count == 1)
        // Also after a restart, and in another place.
        #expect(try await keeper.open(.automatic).status.isLeftInKeyring)
        let again = try await keeper.move(key, to: .passphrase, passphrase: Passphrase("correct horse"))
        #expect(again == StoreKeyStatus(place: .passphrase, isLeftInKeyring: true))
        await #expect(throws: AccountError.keyring(.service(.locked))) { try await keeper.clearKeyring(mayAsk: true) }
        keyring.set { $0.failure = nil }
        try await keeper.clearKeyring(mayAsk: false)
        #expect(keyring.count == 0)
        _ = try await keeper.move(key, to: .keyFile, passphrase: nil)
        #expect(try await keeper.open(.automatic).status == StoreKeyStatus(place: .keyFile))
    }

    @Test func `a key that is back in the keyring is not taken for one that was left there`() async throws {
        let key = try await keeper.open(.automatic).key
        keyring.set { $0.failure = .missing("") }
        _ = try await keeper.move(key, to: .keyFile, passphrase: nil)
        keyring.set { $0.failure = nil }
        _ = try await keeper.move(key, to: .secretService, passphrase: nil)
        try await keeper.clearKeyring(mayAsk: true)
        #expect(keyring.only == key)
        #expect(try await keeper.open(.automatic).status == StoreKeyStatus(place: .secretService))
    }

    @Test func `a keyring that is away when its profile moves is told at a later start`() async throws {
        _ = try await keeper.open(.automatic)
        try MovedMark(file: "", movedAt: 1).write(in: directory)
        keyring.set { $0.failure = .locked }
        for _ in 0..<2 {
            await #expect(throws: AccountError.store(.moved(""))) {
                try await ProfileExport.refuseMoved(directory, keyring: keyring)
            }
        }
        #expect(keyring.count == 1)
        // Another profile can take its place all the same.
        #expect(MovedMark.isAllThatIsLeft(in: directory.path))
        keyring.set { $0.failure = nil }
        await #expect(throws: AccountError.store(.moved(""))) {
            try await ProfileExport.refuseMoved(directory, keyring: keyring)
        }
        #expect(keyring.count == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["moved.json"])
    }

    @Test func `a key that was left in the keyring goes with its profile`() async throws {
        let key = try await keeper.open(.automatic).key
        keyring.set { $0.failure = .locked }
        _ = try await keeper.move(key, to: .keyFile, passphrase: nil)
        keyring.set { $0.failure = nil }
        await ProfileExport.removeAll(in: directory, keyring: keyring, mayAsk: false)
        #expect(keyring.count == 0)
    }

    @Test func `every profile has a key of its own`() async throws {
        let other = StoreKeyKeeper(
            directory: try ProfileDirectory(path: folder.file("Ben")), keyring: keyring, passphrases: nil, cost: .least)
        let (first, second) = (try await keeper.open(.automatic), try await other.open(.automatic))
        #expect(first.key != second.key)
        #expect(keyring.count == 2)
        #expect(try await keeper.open(.automatic).key == first.key)
    }

    @Test(arguments: [KeyringError.missing("no bus"), .locked, .silent])
    func `without an open keyring the key goes into a file and the person is told once`(_ failure: KeyringError)
        async throws
    {
        keyring.set { $0.failure = failure }
        let opened = try await keeper.open(.automatic)
        #expect(opened.status.place == .keyFile)
        #expect(opened.status.isMakeshift)
        #expect(opened.status.notice == StoreKeyNotice(file: "store.key", keyring: .service(failure)))
        #expect(try file.read() == opened.key)
        #expect(try mode(file.path) == 0o600)
        #expect(keyring.content.withLock { $0.mayAsk } == [false])
        let again = try await keeper.open(.automatic)
        #expect(again.key == opened.key)
        #expect(again.status == StoreKeyStatus(place: .keyFile, isMakeshift: true, notice: nil))
    }

    @Test func `a file nobody chose moves into the keyring as soon as there is one`() async throws {
        keyring.set { $0.failure = .missing("") }
        let key = try await keeper.open(.automatic).key
        keyring.set { $0.failure = nil }
        let opened = try await keeper.open(.automatic)
        #expect(opened.key == key)
        #expect(opened.status == StoreKeyStatus(place: .secretService))
        // The store has not opened yet: the file is the only place that has proved itself.
        #expect(try file.read() == key)
        keeper.forgetOldPlaces(opened)
        #expect(!file.exists)
        #expect(try await keeper.open(.automatic).key == key)
    }

    @Test func `the file of a profile without a record moves and is overwritten`() async throws {
        let key = SecretBytes.random(32)
        try file.write(key)
        let alias = folder.file("alias")
        #expect(link(file.path, alias) == 0)
        let opened = try await keeper.open(.automatic)
        keeper.forgetOldPlaces(opened)
        #expect(opened.key == key)
        #expect(keyring.only == key)
        #expect(!file.exists)
        #expect(FileManager.default.contents(atPath: alias) == Data(count: 32))
    }

    @Test func `a move that was interrupted and is repeated leaves one key in the keyring`() async throws {
        try file.write(.random(32))
        keyring.set { $0.forgery = .random(32) }
        // Nothing is written after this, as after a crash.
        await #expect(throws: AccountError.self) { try await keeper.open(.secretService) }
        keyring.set { $0.forgery = nil }
        _ = try await keeper.open(.secretService)
        #expect(keyring.count == 1)
    }

    @Test func `the file stays where the keyring gives back something else`() async throws {
        let key = SecretBytes.random(32)
        try file.write(key)
        keyring.set { $0.forgery = .random(32) }
        let opened = try await keeper.open(.automatic)
        keeper.forgetOldPlaces(opened)
        #expect(opened.key == key)
        #expect(opened.status.place == .keyFile)
        #expect(try file.read() == key)
    }

    @Test func `a file somebody chose stays a file`() async throws {
        let key = try await keeper.open(.keyFile).key
        let opened = try await keeper.open(.automatic)
        #expect(opened.key == key)
        #expect(opened.status == StoreKeyStatus(place: .keyFile))
        #expect(keyring.content.withLock { $0.mayAsk }.isEmpty)
    }

    @Test func `what a move left behind before a crash is wiped at the next start`() async throws {
        let opened = try await keeper.open(.automatic)
        try file.write(opened.key)
        // Another name of the same file shows what is left on the disk.
        let shadow = file.path + ".shadow"
        try FileManager.default.linkItem(atPath: file.path, toPath: shadow)
        #expect(FileManager.default.contents(atPath: shadow) == Data(opened.key.bytes))
        keeper.forgetOldPlaces(try await keeper.open(.automatic))
        #expect(!file.exists)
        #expect(FileManager.default.contents(atPath: shadow) == Data(count: 32))
    }

    @Test func `a file with another key is left alone`() async throws {
        let opened = try await keeper.open(.automatic)
        let other = SecretBytes.random(32)
        try file.write(other)
        keeper.forgetOldPlaces(opened)
        #expect(try file.read() == other)
    }

    @Test(arguments: [KeyringError.missing("no bus"), .locked, .silent, .refused(message: "no")])
    func `a key in a keyring out of reach is neither replaced nor sought elsewhere`(_ failure: KeyringError)
        async throws
    {
        _ = try await keeper.open(.automatic)
        keyring.set { $0.failure = failure }
        await #expect(throws: AccountError.keyring(.service(failure))) { try await keeper.open(.automatic) }
        await #expect(throws: AccountError.keyring(.service(failure))) { try await keeper.open(.keyFile) }
        #expect(!file.exists)
    }

    @Test func `a key that the keyring has lost is not replaced`() async throws {
        _ = try await keeper.open(.automatic)
        keyring.set { $0.secrets = [:] }
        await #expect(throws: AccountError.self) { try await keeper.open(.automatic) }
        #expect(keyring.count == 0)
    }

    @Test func `who insists on the keyring gets no file`() async throws {
        keyring.set { $0.failure = .missing("") }
        await #expect(throws: AccountError.self) { try await keeper.open(.secretService) }
        #expect(!file.exists)
        #expect(keyring.content.withLock { $0.mayAsk } == [true])
    }

    @Test func `a store without its key is not given a new one`() async throws {
        try Data([1]).write(to: URL(fileURLWithPath: directory.file("agent.sqlite")))
        await #expect(throws: AccountError.storeKey(file.path)) { try await keeper.open(.automatic) }
        #expect(keyring.count == 0)
    }

    @Test(arguments: [0, 31, 33]) func `a key file of a wrong size is refused`(_ count: Int) async throws {
        try Data(count: count).write(to: URL(fileURLWithPath: file.path))
        await #expect(throws: AccountError.storeKey(file.path)) { try await keeper.open(.automatic) }
    }

    @Test func `an unkept key leaves nothing`() async throws {
        #expect(try await keeper.open(.unkept).status.place == .unkept)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        #expect(keyring.count == 0)
    }

    @Test(arguments: [
        "", "{", "[]", "{\"version\":1}",
        "{\"version\":1,\"place\":\"passphrase\",\"name\":\"a\",\"isMakeshift\":false}",
    ])
    func `a damaged record is named`(_ text: String) async throws {
        try text.write(toFile: directory.file("key.json"), atomically: true, encoding: .utf8)
        await #expect(throws: AccountError.store(.keyRecordDamaged("key.json"))) {
            try await keeper.open(.automatic)
        }
    }

    @Test func `a record of a newer Parley is refused and left alone`() async throws {
        let text = "{\"version\":2,\"place\":\"elsewhere\"}"
        try text.write(toFile: directory.file("key.json"), atomically: true, encoding: .utf8)
        await #expect(throws: AccountError.store(.newerKeyRecord)) {
            try await keeper.open(.automatic)
        }
        #expect(FileManager.default.contents(atPath: directory.file("key.json")) == Data(text.utf8))
    }
}
