import Foundation
import TestSupport
import Testing

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct ProfileRemovalTests {
    private let folder: TemporaryFolder
    private let keyring = FakeKeyring()
    private var configuration: AccountConfiguration

    init() throws {
        folder = try TemporaryFolder()
        configuration = AccountConfiguration(directory: folder.file("parley-2"))
        configuration.relays = .embedded(host: "127.0.0.1", port: 0)
        configuration.keyring = keyring
        configuration.storeKey = .secretService
    }

    private var path: String { configuration.directory }

    @Test func `nothing is left of a profile, neither its folder nor its key in the keyring`() async throws {
        let account = try await Account.open(configuration)
        await account.close()
        let record = try #require(try StoreKeyRecord.read(in: ProfileDirectory(path: path)))
        #expect(try await keyring.secret(named: record.name, mayAsk: false) != nil)
        try await ProfileRemoval.run(configuration)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await keyring.secret(named: record.name, mayAsk: false) == nil)
        // Also for a second time.
        try await ProfileRemoval.run(configuration)
    }

    @Test func `a locked keyring is asked for, and keeps no profile from being removed`() async throws {
        await (try await Account.open(configuration)).close()
        keyring.set { ($0.mayAsk, $0.failure) = ([], .locked) }
        try await ProfileRemoval.run(configuration)
        #expect(keyring.content.withLock { $0.mayAsk } == [true])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a profile that is open is not removed`() async throws {
        let account = try await Account.open(configuration)
        await #expect(throws: AccountError.inUse(path)) { try await ProfileRemoval.run(configuration) }
        #expect(configuration.hasProfile)
        await account.close()
    }

    @Test func `what others have put into the folder stays`() async throws {
        let account = try await Account.open(configuration)
        await account.close()
        let other = path + "/letter.txt"
        try Data([1]).write(to: URL(fileURLWithPath: other))
        try await ProfileRemoval.run(configuration)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["letter.txt"])
        #expect(!configuration.hasProfile)
    }

    @Test func `what is left of a profile that was carried elsewhere can be removed`() async throws {
        let directory = try ProfileDirectory(path: path)
        try MovedMark(file: "", movedAt: 1).write(in: directory)
        try await ProfileRemoval.run(configuration)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
