import Foundation
import Media
import MediaRules
import SFU
import SFURules
import Signaling
import Synchronization
import TestSupport
import Testing

@testable import Parley

/// The call server for calls of several, as a person sets it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct GroupServerTests {
    private static func server(
        _ address: String = "wss://calls.example.org/janus", room: String? = "room-hush", token: String? = "token-hush",
        isAlwaysUsed: Bool = true
    ) throws -> GroupServer {
        GroupServer(
            address: try SFUAddress(parsing: address),
            keys: SFUKeys(roomKey: room.map(SecretText.init), tokenSecret: token.map(SecretText.init)),
            isAlwaysUsed: isAlwaysUsed)
    }

    @Test func `a call server that was set is there after the next start`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            #expect(account.groupServer == nil)
            let server = try Self.server()
            try await account.setGroupServer(server)
            #expect(account.groupServer == server)
            await account.close()
            #expect(try await neighbourhood.open("Ann").groupServer == server)
        }
    }

    @Test func `with a call server more can be called together, and whoever shows that is told`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            #expect(account.mostInGroupCall == 4)
            let told = Mutex(0)
            let reader = Task { [updates = account.updates] in
                for await update in updates {
                    if case .takesGroupCalls = update { told.withLock { $0 += 1 } }
                }
            }
            let before = told.withLock { $0 }
            try await account.setGroupServer(try Self.server())
            #expect(account.mostInGroupCall == 8)
            try await waitUntil("it is told") { told.withLock { $0 } > before }
            try await account.setGroupServer(nil)
            #expect(account.mostInGroupCall == 4)
            reader.cancel()
        }
    }

    @Test func `a call server that was removed is not there after the next start`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            try await account.setGroupServer(try Self.server())
            try await account.setGroupServer(nil)
            #expect(account.groupServer == nil)
            await account.close()
            #expect(try await neighbourhood.open("Ann").groupServer == nil)
        }
    }

    @Test func `what the configuration asks for holds for that run alone`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let (kept, asked) = (try Self.server(), try Self.server("ws://127.0.0.1:8188", room: nil))
            let account = try await neighbourhood.open("Ann")
            try await account.setGroupServer(kept)
            await account.close()
            let second = try await neighbourhood.open("Ann") { $0.groupServer = asked }
            #expect(second.groupServer == asked)
            await second.close()
            #expect(try await neighbourhood.open("Ann").groupServer == kept)
        }
    }

    @Test(arguments: [
        "", "[]", #"{"address":"http://calls.example.org"}"#, #"{"address":"wss://a.example","roomKey":1}"#,
    ])
    func `a setting that cannot be read is told when the account opens`(_ kept: String) async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            try await account.agent.setApplicationData(Account.groupServerName, to: Array(kept.utf8))
            await account.close()
            await #expect(throws: AccountError.store(.groupServerDamaged)) { try await neighbourhood.open("Ann") }
        }
    }

    @Test func `no key of a call server lies on disk in clear`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            try await account.setGroupServer(try Self.server())
            await account.close()
            let folder = neighbourhood.folder.file("Ann")
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                let content = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
                #expect(content.range(of: Data("-hush".utf8)) == nil, "\(name)")
            }
        }
    }

    @Test func `a key that is too long is refused and changes nothing`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            try await account.setGroupServer(try Self.server())
            await #expect(throws: AccountError.textTooLong(GroupServer.longestKey)) {
                try await account.setGroupServer(
                    try Self.server(room: String(repeating: "k", count: GroupServer.longestKey + 1)))
            }
            #expect(account.groupServer == (try Self.server()))
        }
    }

    @Test func `what an earlier Parley kept without choice and keys is read`() throws {
        let kept = Array(#"{"address":"wss://calls.example.org/janus"}"#.utf8)
        let server = try Self.server(room: nil, token: nil, isAlwaysUsed: false)
        #expect(try GroupServer(decoding: kept) == server)
    }

    @Test func `a test of a port on which nobody listens says so after no step`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            let steps = Mutex<[GroupServerTest.Step]>([])
            let server = try Self.server("ws://127.0.0.1:\(try SilentServer.closedPort())")
            await #expect(throws: GroupServerTest.Failure.server(.unreachable(reason: "connection refused"))) {
                try await account.testGroupServer(server) { step in steps.withLock { $0.append(step) } }
            }
            #expect(steps.withLock { $0 } == [])
        }
    }

    @Test func `a test that is cancelled while the server says nothing ends at once`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            let silent = try SilentServer()
            defer { silent.stop() }
            let server = try Self.server("ws://127.0.0.1:\(silent.port)")
            let testing = Task {
                do throws(GroupServerTest.Failure) {
                    try await account.testGroupServer(server) { _ in }
                    return GroupServerTest.Failure?.none
                } catch {
                    return error
                }
            }
            try await waitUntil("it is asked") { silent.received.contains { $0 > 0 } }
            testing.cancel()
            // By itself it would end with `timedOut`.
            #expect(await testing.value == .server(.closed))
        }
    }

    /// What a test of a running Janus tells, and why it failed.
    private static func outcome(
        of account: Account, _ janus: JanusServer
    ) async throws -> (steps: [GroupServerTest.Step], failure: GroupServerTest.Failure?) {
        let steps = Mutex<[GroupServerTest.Step]>([])
        let server = try Self.server(janus.address, room: janus.keys.room)
        do throws(GroupServerTest.Failure) {
            try await account.testGroupServer(server) { step in steps.withLock { $0.append(step) } }
            return (steps.withLock { $0 }, nil)
        } catch {
            return (steps.withLock { $0 }, error)
        }
    }

    @Test(.needs(JanusServer.obstacle))
    func `a test of a Janus sends media through a room and gets them back`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            let folder = try TemporaryFolder()
            let janus = try await JanusServer(folder, keys: JanusServer.Keys(token: "token-hush"))
            defer { janus.stop() }
            let (steps, failure) = try await Self.outcome(of: account, janus)
            #expect(failure == nil)
            #expect(steps.count == 8)
            guard case .media(.sent(let there)) = steps[5], case .media(.received(let back)) = steps[6] else {
                Issue.record("\(steps)")
                return
            }
            #expect(there?.isRelayed == false && back?.isRelayed == false)
            #expect(steps.last == .server(.roomDestroyed))
        }
    }
}
