import Agent
import Calling
import Foundation
import GRDB
import Relay
import TestSupport
import Testing
import Wording

@testable import Parley

/// What an account tells of its relays and connections, and how they are repaired.
@Suite(.timeLimit(.minutes(5))) struct StateTests {
    @Test func `every relay is told and queues are spread over them`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let other = try await Neighbourhood()
            let relays = [neighbourhood.relay, other.relay]
            let ann = try await neighbourhood.open("Ann") { $0.relays = .external(relays) }
            for _ in 0..<4 { _ = try await ann.makeInvitation() }
            let statuses = try await ann.relayStatuses()
            #expect(statuses.map(\.address) == relays)
            #expect(statuses.map(\.queues) == [2, 2])
            #expect(statuses.allSatisfy { $0.isOwn && $0.smpVersion != nil && $0.problem == nil })
            await other.close()
            let lost = try await ann.update("the loss of a relay") { update -> RelayStatus? in
                if case .relay(let status) = update, status.problem != nil { status } else { nil }
            }
            #expect(lost.address == relays[1])
            #expect(lost.smpVersion == nil)
            #expect(lost.problem != nil)
        }
    }

    @Test func `a relay that never answered is told with its reason`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let dead = "smp://\(String(repeating: "A", count: 43))=@127.0.0.1:1"
            let ann = try await neighbourhood.open("Ann") { $0.relays = .external([dead]) }
            let status = try await ann.update("news of the relay") { update -> RelayStatus? in
                if case .relay(let status) = update, status.problem != nil { status } else { nil }
            }
            #expect(status.address == dead)
        }
    }

    @Test func `the security code is the same on both sides until new keys are agreed`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let before = try #require(try await pair.ann.securityCode(of: pair.contactBob.id))
            #expect(try await pair.bob.securityCode(of: pair.contactAnn.id) == before)
            await #expect(throws: AccountError.self) { try await pair.ann.resynchronise(pair.contactBob.id) }
            let states = Task { try await pair.bob.encryption(.intact, of: pair.contactAnn.id) }
            try await pair.ann.resynchronise(pair.contactBob.id, force: true)
            try await pair.ann.encryption(.intact, of: pair.contactBob.id)
            try await states.value
            let after = try #require(try await pair.ann.securityCode(of: pair.contactBob.id))
            #expect(after != before)
            #expect(try await pair.bob.securityCode(of: pair.contactAnn.id) == after)
            let (_, incoming) = try await pair.ring(.audio)
            #expect(incoming.contact == pair.contactAnn)
        }
    }

    @Test func `a mailbox moves to another relay`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let other = try await Neighbourhood()
            let relays = [neighbourhood.relay, other.relay]
            let pair = try await Pair(neighbourhood, ann: { $0.relays = .external(relays) })
            let before = try await pair.ann.connection(of: pair.contactBob.id)
            let moved = Task {
                try await pair.ann.update("the end of the move") { update -> Bool? in
                    if case .moving(pair.contactBob.id, false) = update { true } else { nil }
                }
            }
            try await pair.ann.moveQueue(of: pair.contactBob.id)
            #expect(try await moved.value)
            let after = try await pair.ann.connection(of: pair.contactBob.id)
            #expect(before.receivingRelays.count == 1)
            #expect(after.receivingRelays.count == 1)
            #expect(before.receivingRelays.map(\.address) != after.receivingRelays.map(\.address))
            #expect(!after.isMoving)
            #expect(after.encryption == .intact)
            #expect(after.problem == nil)
            let (_, incoming) = try await pair.ring(.audio)
            #expect(incoming.contact == pair.contactAnn)
            await pair.ann.close()
            await other.close()
        }
    }

    @Test func `who has put back a copy from before a mailbox moved is told that only a new link helps`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let other = try await Neighbourhood()
            let relays = [neighbourhood.relay, other.relay]
            let pair = try await Pair(neighbourhood, ann: { $0.relays = .external(relays) })
            let (folder, bob) = (neighbourhood.folder.file("Ann"), pair.contactBob.id)
            await pair.ann.close()
            try FileManager.default.copyItem(atPath: folder, toPath: folder + ".copy")

            let ann = try await neighbourhood.open("Ann") { $0.relays = .external(relays) }
            let moved = Task {
                try await ann.update("the end of the move") { update -> Bool? in
                    if case .moving(bob, false) = update { true } else { nil }
                }
            }
            try await ann.moveQueue(of: bob)
            #expect(try await moved.value)
            #expect(await ann.contacts().map(\.trouble) == [nil])
            await ann.close()

            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.moveItem(atPath: folder + ".copy", toPath: folder)
            let again = try await neighbourhood.open("Ann") { $0.relays = .external(relays) }
            _ = try await again.update("what helps") { update -> Bool? in
                if case .contacts(let contacts) = update, contacts.map(\.trouble) == [.cutOff] { true } else { nil }
            }
            await again.close()
            await other.close()
        }
    }

    @Test func `the caller learns that the invitation has come in`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (outgoing, _) = try await pair.ring(.audio)
            try await outgoing.state("Bob's device has it") { $0.isDelivered }
            await outgoing.hangUp()
        }
    }

    @Test func `who wants no receipts sends none`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood, bob: { $0.sendsReceipts = false })
            let (outgoing, incoming) = try await pair.ring(.audio)
            // What Bob sends next leaves after any receipt would have.
            await incoming.decline()
            _ = try await outgoing.endReason()
            #expect(!outgoing.state.isDelivered)
        }
    }

    @Test func `a message that the relay has dropped is told as a gap`() async throws {
        let folder = try TemporaryFolder()
        let state = folder.file("relay")
        let relay = try await EmbeddedRelay(host: "127.0.0.1", port: 0, stateDirectory: state)
        func open(_ name: String) async throws -> Account {
            var configuration = AccountConfiguration(directory: folder.file(name))
            configuration.displayName = name
            configuration.storeKey = .keyFile
            configuration.relays = .external([relay.address.text])
            return try await Account.open(configuration)
        }
        let ann = try await open("Ann")
        let bob = try await open("Bob")
        let invitation = try await ann.makeInvitation(.full)
        async let joined = bob.connect(link: invitation.link)
        let contactBob = try await invitation.connected()
        _ = try await joined
        await bob.close()
        let connection = ConnectionID(rawValue: contactBob.id.rawValue)
        for number in 0..<2 as Range<UInt8> { _ = try await ann.agent.send([number], on: connection, notify: false) }
        try await waitUntil("the relay has both") { try await ann.connection(of: contactBob.id).waitingMessages == 0 }
        await relay.stop()
        // What the relay does with messages that nobody fetched for 21 days.
        let database = try DatabaseQueue(path: state + "/relay.sqlite")
        try await database.write { try $0.execute(sql: "DELETE FROM message") }
        try database.close()
        let again = try await EmbeddedRelay(host: "127.0.0.1", port: 0, stateDirectory: state)
        #expect(again.address == relay.address)
        _ = try await ann.agent.send([2], on: connection, notify: false)
        let late = try await open("Bob")
        let contactAnn = try #require(await late.contacts().first)
        let problem = try await late.update("the gap") { update -> IntegrityProblem? in
            if case .integrity(contactAnn.id, let problem) = update { problem } else { nil }
        }
        #expect(problem == .missing(count: 2))
        #expect(try await late.connection(of: contactAnn.id).problem == .missing(count: 2))
        #expect(problem.sentence(naming: "Ann") == "2 messages of Ann's are missing: a relay has dropped them.")
        await ann.close()
        await late.close()
        await again.stop()
    }
}

extension Account {
    /// Waits for an update in which something is found.
    nonisolated func update<Value: Sendable>(
        _ what: String, _ find: @escaping @Sendable (AccountUpdate) -> Value?
    ) async throws -> Value {
        try await limited(what) { [updates] in
            for await update in updates { if let value = find(update) { return value } }
            throw Overdue("The account was closed before: \(what)")
        }
    }

    /// Waits until the encryption with a contact is in a state.
    nonisolated func encryption(_ state: EncryptionState, of id: ContactID) async throws {
        _ = try await update("the encryption is \(state)") { update -> Bool? in
            if case .encryption(id, state) = update { true } else { nil }
        }
    }
}
