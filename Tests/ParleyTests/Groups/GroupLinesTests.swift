import Agent
import BaseKit
import Calling
import Signaling
import TestSupport
import Testing

@testable import Parley

/// A member of a group call whose link leads to a relay that takes connections and says nothing.
private struct SilentMember {
    let relay: SilentServer
    let link: GroupLink
    let number = MemberNumber.first

    init() throws {
        relay = try SilentServer()
        let (name, key) = (String(repeating: "A", count: 32), String(repeating: "A", count: 43))
        link = try #require(
            GroupLink(parsing: "simplex:/i#\(name)/\(key)?h=127.0.0.1&p=\(relay.port)&c=\(key)"))
    }

    func isAsked() async throws {
        try await waitUntil("the relay is asked") { relay.received.contains { $0 > 0 } }
    }
}

@Suite(.timeLimit(.minutes(5))) struct GroupLinesTests {
    @Test func `a line that hangs delays nothing else of its account`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood, ann: { $0.privateRouting = .never })
            let member = try SilentMember()
            defer { member.relay.stop() }
            let own = try #require(MemberNumber(2))
            let hasEnded = Shared(false)
            Task { [lines = pair.ann.groups.lines] in
                try? await lines.joinLine(member.link, to: member.number, of: .random(), as: own)
                hasEnded.value = true
            }
            try await member.isAsked()
            let body = try ChatMessage(.contactDeleted).encoded()
            await pair.ann.handle(
                .message(
                    ConnectionID(rawValue: pair.contactBob.id.rawValue),
                    ReceivedMessage(id: 1, brokerTime: 0, body: body, integrity: .ok)))
            #expect(await pair.ann.book[pair.contactBob.id]?.isGone == true)
            #expect(!hasEnded.value)
        }
    }

    @Test func `what is told of a line while its link is opened is not taken for a contact's`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann") { $0.privateRouting = .never }
            let member = try SilentMember()
            defer { member.relay.stop() }
            let own = try #require(MemberNumber(2))
            let connection = ConnectionID(rawValue: "line")
            let lines = GroupLines(agent: await ann.agent) { connection }
            #expect(await !lines.handle(.connected(connection)))
            Task { try? await lines.joinLine(member.link, to: member.number, of: .random(), as: own) }
            try await member.isAsked()
            #expect(await lines.handle(.connected(connection)))
            #expect(await !lines.handle(.connected(ConnectionID(rawValue: "another"))))
        }
    }

    @Test func `the last message by a line that is closed meanwhile is waited for until it is out`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let (ann, bob) = (try await neighbourhood.open("Ann"), try await neighbourhood.open("Bob"))
            let link = try #require(GroupLink(parsing: try await bob.agent.makeInvitation().link))
            let (connection, call, own) = (ConnectionID.random(), CallID.random(), try #require(MemberNumber(2)))
            let lines = GroupLines(agent: await ann.agent) { connection }
            try await lines.joinLine(link, to: .first, of: call, as: own)
            try await lines.send(.over(.call), of: call, to: .line(.first), number: 0)
            await lines.closeLine(to: .first, of: call)
            let isSettled = Shared(false)
            await wait(within: .milliseconds(50)) {
                await lines.waitUntilSent()
                if !Task.isCancelled { isSettled.value = true }
            }
            #expect(!isSettled.value)
            // One of these is its number.
            for number in 0..<20 as Range<Int64> { _ = await lines.handle(.sent(connection, number)) }
            await lines.waitUntilSent()
        }
    }

    @Test func `who comes back into a call is not kept from sending by what was sent of it before`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (lines, call) = (pair.ann.groups.lines, CallID.random())
            let rejoin = GroupMessage.rejoin(
                GroupRejoin(member: .first, nonce: try #require(RejoinNonce(bytes: [UInt8](repeating: 1, count: 16)))))
            let bob = pair.contactBob.id
            // What is sent from here on waits.
            await neighbourhood.server.stop()
            func waiting() async throws -> Int {
                try await lines.send(rejoin, of: call, to: .contact(bob), number: 1)
                return try await pair.ann.connection(of: bob).waitingMessages
            }
            #expect(try await waiting() == 1)
            #expect(try await waiting() == 1, "the first is under way")
            lines.forgetMessages(of: .random())
            #expect(try await waiting() == 1)
            lines.forgetMessages(of: call)
            #expect(try await waiting() == 2)
        }
    }
}
