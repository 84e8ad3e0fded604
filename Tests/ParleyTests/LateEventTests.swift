import Agent
import Calling
import Signaling
import TestSupport
import Testing

@testable import Parley

/// What was on its way of a contact when the person removed it.
@Suite(.timeLimit(.minutes(5))) struct LateEventTests {
    @Test func `nothing that comes late brings a removed contact back`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let bob = ConnectionID(rawValue: pair.contactBob.id.rawValue)
            try await pair.ann.remove(pair.contactBob.id)
            let profile = ChatEvent.information(Profile(displayName: "Bob", calls: .yes))
            let information = try ChatMessage(profile).encodedConnectionInformation()
            let events: [AgentEvent] = [
                .confirmation(bob, information: information), .information(bob, information: information),
                .connected(bob), .failed(bob, nil, .peerGone), .failed(bob, 7, .peerGone),
                .message(bob, try Self.message(1, profile)), .message(bob, try Self.message(2, .contactDeleted)),
            ]
            for event in events {
                await pair.ann.handle(event)
                #expect(await pair.ann.contacts().isEmpty, "\(event)")
            }
        }
    }

    @Test func `a removed contact does not ring`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let bob = ConnectionID(rawValue: pair.contactBob.id.rawValue)
            try await pair.ann.remove(pair.contactBob.id)
            let type = CallType(media: .audio, encryption: true)
            let invitation = CallInvitation(callType: type, publicKey: CallKeys().publicKey)
            let id = CallID.random()
            await pair.ann.handle(.message(bob, try Self.message(1, .call(.invitation(id, invitation)))))
            #expect(await pair.ann.contacts().isEmpty)
            #expect(await pair.ann.center.update(of: id) == nil)
        }
    }

    @Test func `a call ends when its contact is removed`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, bob) = try await pair.talk(.audio)
            try await pair.ann.remove(pair.contactBob.id)
            #expect(try await ann.endReason() == .hungUp)
            _ = try await bob.endReason()
        }
    }

    private static func message(_ number: Int64, _ event: ChatEvent) throws -> ReceivedMessage {
        ReceivedMessage(id: number, brokerTime: 0, body: try ChatMessage(event).encoded(), integrity: .ok)
    }
}
