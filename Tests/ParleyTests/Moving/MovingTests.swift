import Cryptography
import Foundation
import TestSupport
import Testing

@testable import Agent
@testable import Parley

/// A profile is carried from one folder to another with real accounts and a real relay.
@Suite(.timeLimit(.minutes(5))) struct MovingTests {
    private static let passphrase = Passphrase("correct horse")

    private func export(_ name: String, _ neighbourhood: Neighbourhood) async throws -> String {
        let file = neighbourhood.folder.file(name + ".parley")
        try await ProfileExport(await neighbourhood.configuration(name)).run(
            to: file, passphrase: Self.passphrase, cost: .least)
        return file
    }

    private func take(_ file: String, as name: String, _ neighbourhood: Neighbourhood) async throws {
        try await ProfileImport(file, as: await neighbourhood.configuration(name)).run(passphrase: Self.passphrase)
    }

    /// A note of a new profile is at its relay some seconds after the start; without one it can't be known that it was moved, not copied.
    private func waitForNote(of account: Account) async throws {
        try await waitUntil("there is a note") {
            try await account.agent.inStore { try $0.bookmark()?.lastNote ?? 0 } > 0
        }
    }

    private func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    @Test func `a profile that was carried goes on with its contacts, and needs no new keys`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let code = try await pair.ann.securityCode(of: pair.contactBob.id)
            try await waitForNote(of: pair.ann)
            await pair.ann.close()
            let file = try await export("Ann", neighbourhood)
            try await take(file, as: "Ann2", neighbourhood)
            #expect(!FileManager.default.fileExists(atPath: file))
            let moved = try await neighbourhood.open("Ann2") { $0.displayName = nil }
            #expect(await moved.displayName == "Ann")
            let bob = try #require(await moved.contacts().first)
            #expect(bob.name == "Bob")
            let call = try await moved.call(bob, media: .audio)
            let incoming = try await pair.bob.incoming(call.id)
            #expect(incoming.contact.name == "Ann")
            #expect(try await moved.securityCode(of: bob.id) == code)
            await call.hangUp()
        }
    }

    @Test func `the profile that was left opens no more, and nothing of its keys stays`() async throws {
        try await Neighbourhood.with { neighbourhood in
            await (try await neighbourhood.open("Ann")).close()
            let file = try await export("Ann", neighbourhood)
            let configuration = await neighbourhood.configuration("Ann")
            #expect(names(in: configuration.directory) == ["lock", "moved.json"])
            for _ in 0..<2 {
                await #expect(throws: AccountError.store(.moved(file))) { try await neighbourhood.open("Ann") }
            }
            #expect(throws: AccountError.moving(.noProfile(configuration.directory))) {
                try ProfileExport(configuration)
            }
        }
    }

    @Test func `a profile comes back to the folder that it has left, and another one comes there`() async throws {
        try await Neighbourhood.with { neighbourhood in
            await (try await neighbourhood.open("Ann")).close()
            let file = try await export("Ann", neighbourhood)
            try await take(file, as: "Ann", neighbourhood)
            await (try await neighbourhood.open("Ann") { $0.displayName = nil }).close()
            _ = try await export("Ann", neighbourhood)
            await (try await neighbourhood.open("Eve")).close()
            try await take(try await export("Eve", neighbourhood), as: "Ann", neighbourhood)
            let eve = try await neighbourhood.open("Ann") { $0.displayName = nil }
            #expect(await eve.displayName == "Eve")
        }
    }

    @Test func `what lies beside the mark of a profile that has left is not lost`() async throws {
        try await Neighbourhood.with { neighbourhood in
            await (try await neighbourhood.open("Ann")).close()
            let file = try await export("Ann", neighbourhood)
            let folder = await neighbourhood.configuration("Ann").directory
            try Data("kept".utf8).write(to: URL(fileURLWithPath: folder + "/notes.txt"))
            await #expect(throws: AccountError.moving(.folderInUse(folder))) {
                try await take(file, as: "Ann", neighbourhood)
            }
            #expect(names(in: folder) == ["lock", "moved.json", "notes.txt"])
        }
    }

    @Test func `a wrong passphrase leaves the mark of a profile that has left`() async throws {
        try await Neighbourhood.with { neighbourhood in
            await (try await neighbourhood.open("Ann")).close()
            let file = try await export("Ann", neighbourhood)
            await #expect(throws: AccountError.wrongPassphrase) {
                try await ProfileImport(file, as: await neighbourhood.configuration("Ann")).run(
                    passphrase: Passphrase("battery staple"))
            }
            await #expect(throws: AccountError.store(.moved(file))) { try await neighbourhood.open("Ann") }
        }
    }

    @Test func `where no file can be written is known before anything is closed`() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.file("there")))
        #expect(throws: AccountError.moving(.fileExists(folder.file("there")))) {
            try ProfileExport.check(folder.file("there"))
        }
        #expect(throws: AccountError.moving(.notWritten(folder.file("none/file")))) {
            try ProfileExport.check(folder.file("none/file"))
        }
        try ProfileExport.check(folder.file("new"))
        #expect(names(in: folder.path) == ["there"])
    }

    @Test func `a profile that is open is not carried`() async throws {
        try await Neighbourhood.with { neighbourhood in
            _ = try await neighbourhood.open("Ann")
            let configuration = await neighbourhood.configuration("Ann")
            #expect(throws: AccountError.inUse(configuration.directory)) { try ProfileExport(configuration) }
        }
    }

    @Test func `another passphrase opens nothing and leaves the file as it was`() async throws {
        try await Neighbourhood.with { neighbourhood in
            await (try await neighbourhood.open("Ann")).close()
            let file = try await export("Ann", neighbourhood)
            let before = try Data(contentsOf: URL(fileURLWithPath: file))
            await #expect(throws: AccountError.wrongPassphrase) {
                try await ProfileImport(file, as: await neighbourhood.configuration("New")).run(
                    passphrase: Passphrase("battery staple"))
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
            #expect(names(in: neighbourhood.folder.path) == ["Ann", "Ann.parley", "relay"])
        }
    }

    @Test func `a damaged file makes no profile`() async throws {
        try await Neighbourhood.with { neighbourhood in
            await (try await neighbourhood.open("Ann")).close()
            let file = try await export("Ann", neighbourhood)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            bytes[bytes.count - 30] ^= 1
            try bytes.write(to: URL(fileURLWithPath: file))
            await #expect(throws: AccountError.moving(.damaged)) { try await take(file, as: "New", neighbourhood) }
            #expect(names(in: neighbourhood.folder.path) == ["Ann", "Ann.parley", "relay"])
        }
    }

    @Test func `a folder with something in it is left alone`() async throws {
        try await Neighbourhood.with { neighbourhood in
            await (try await neighbourhood.open("Ann")).close()
            await (try await neighbourhood.open("Bob")).close()
            let file = try await export("Ann", neighbourhood)
            let taken = await neighbourhood.configuration("Bob").directory
            let before = names(in: taken)
            await #expect(throws: AccountError.moving(.folderInUse(taken))) {
                try await take(file, as: "Bob", neighbourhood)
            }
            #expect(names(in: taken) == before)
        }
    }

    @Test func `a crash behind the mark leaves the file alone, which the next start gives its name`() async throws {
        try await Neighbourhood.with { neighbourhood in
            await (try await neighbourhood.open("Ann")).close()
            let configuration = await neighbourhood.configuration("Ann")
            let file = neighbourhood.folder.file("Ann.parley")
            try await ProfileExport(configuration).write(
                to: file, passphrase: Self.passphrase, cost: .least
            ) { _ in }
            // Here the program dies.
            #expect(FileManager.default.fileExists(atPath: file + ".part"))
            #expect(!FileManager.default.fileExists(atPath: file))
            await #expect(throws: AccountError.store(.moved(file))) { try await neighbourhood.open("Ann") }
            #expect(names(in: configuration.directory) == ["lock", "moved.json"])
            try await take(file, as: "Ann2", neighbourhood)
            _ = try await neighbourhood.open("Ann2")
        }
    }

    @Test func `a crash before the mark leaves a profile that opens`() async throws {
        try await Neighbourhood.with { neighbourhood in
            await (try await neighbourhood.open("Ann")).close()
            let file = neighbourhood.folder.file("Ann.parley")
            try Data("half".utf8).write(to: URL(fileURLWithPath: file + ".part"))
            await (try await neighbourhood.open("Ann")).close()
            try await take(try await export("Ann", neighbourhood), as: "Ann2", neighbourhood)
        }
    }

    @Test func `who gives up while the file is written keeps the profile`() async throws {
        try await Neighbourhood.with { neighbourhood in
            await (try await neighbourhood.open("Ann")).close()
            let configuration = await neighbourhood.configuration("Ann")
            let file = neighbourhood.folder.file("Ann.parley")
            let task = Task {
                try await ProfileExport(configuration).run(to: file, passphrase: Self.passphrase, cost: .least) { _ in
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(names(in: neighbourhood.folder.path) == ["Ann", "relay"])
            _ = try await neighbourhood.open("Ann")
        }
    }

    @Test func `a second copy of the file finds that the profile has lived on, and encrypts with new keys`()
        async throws
    {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            try await waitForNote(of: pair.ann)
            await pair.ann.close()
            let file = try await export("Ann", neighbourhood)
            try FileManager.default.copyItem(atPath: file, toPath: file + ".copy")
            try await take(file, as: "First", neighbourhood)
            let first = try await neighbourhood.open("First")
            let bob = try #require(await first.contacts().first)
            let code = try await first.securityCode(of: bob.id)
            let call = try await first.call(bob, media: .audio)
            _ = try await pair.bob.incoming(call.id)
            await call.hangUp()
            await first.close()
            try await take(file + ".copy", as: "Second", neighbourhood)
            let second = try await neighbourhood.open("Second")
            try await waitUntil("the keys are new") { (try? await second.securityCode(of: bob.id)) ?? code != code }
        }
    }

    @Test func `the relay inside the program goes along, and keeps its address`() async throws {
        let folder = try TemporaryFolder()
        func configuration(_ name: String) -> AccountConfiguration {
            var configuration = AccountConfiguration(directory: folder.file(name))
            configuration.storeKey = .keyFile
            configuration.relays = .embedded(host: "127.0.0.1", port: 0)
            return configuration
        }
        let before = try await Account.open(configuration("Ann"))
        let address = try await before.ownRelay()
        await before.close()
        try await ProfileExport(configuration("Ann")).run(
            to: folder.file("f"), passphrase: Self.passphrase, cost: .least)
        try await ProfileImport(folder.file("f"), as: configuration("New")).run(passphrase: Self.passphrase)
        let after = try await Account.open(configuration("New"))
        #expect(try await after.ownRelay() == address)
        await after.close()
    }
}
