import Agent
import Calling
import Signaling
import TestSupport
import Testing

@testable import Agent
@testable import Parley

/// Contacts that are blocked, with real accounts and a real relay: what is heard of them here, and what they see.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BlockingTests {
    /// What Ann sees when she calls until nobody has answered, each different state in order. Her clock is set forward.
    private static func unanswered(
        _ ann: Account, _ bob: Contact, _ clock: HurriedClock
    ) async throws -> [CallState] {
        let call = try await ann.call(bob, media: .audio)
        let seen = Task { [states = call.states()] in
            var seen: [CallState] = []
            for await var state in states {
                // When each step was reached is another time in each call.
                state.setup = CallSummary.Setup()
                if seen.last != state { seen.append(state) }
            }
            return seen
        }
        try await call.state("Bob's device has it") { $0.isDelivered && $0.setup.ringing != nil }
        // Whatever else would come comes before the answer to this.
        await ann.flush()
        try await Task.sleep(for: .seconds(1))
        clock.skip(.seconds(60))
        #expect(try await call.endReason() == .noAnswer)
        #expect(call.state.setup.steps.map(\.name) == ["ringing"])
        return await seen.value
    }

    @Test func `a call to who has blocked the caller looks as one that nobody answers`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let clock = HurriedClock()
            let pair = try await Pair(neighbourhood, ann: { $0.callClock = clock })
            let unanswered = try await Self.unanswered(pair.ann, pair.contactBob, clock)
            #expect(unanswered.map(\.phase) == [.ringingOut, .ringingOut, .ended(.noAnswer)])
            try await pair.bob.setBlocked(true, pair.contactAnn.id)
            let blocked = try await Self.unanswered(pair.ann, pair.contactBob, clock)
            #expect(blocked == unanswered)
            #expect(await pair.ann.center.rejections.total == 0)
            // The invitation and its end.
            try await waitUntil("both are counted") { await pair.bob.center.rejections[.blocked] == 2 }
            #expect(await pair.bob.calls.isEmpty)
        }
    }

    @Test func `it looks so during another call, too`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let clock = HurriedClock()
            let pair = try await Pair(neighbourhood, ann: { $0.callClock = clock })
            let carl = try await neighbourhood.open("Carl")
            let invitation = try await carl.makeInvitation()
            async let joined = pair.bob.connect(link: invitation.link)
            _ = try await invitation.connected()
            let contactCarl = try await joined
            let unanswered = try await Self.unanswered(pair.ann, pair.contactBob, clock)
            try await pair.bob.setBlocked(true, pair.contactAnn.id)
            let other = try await pair.bob.call(contactCarl, media: .audio)
            #expect(try await Self.unanswered(pair.ann, pair.contactBob, clock) == unanswered)
            #expect(other.status == .calling)
            await other.hangUp()
        }
    }

    @Test func `nothing of their calls is told, and the next one rings when they are unblocked`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            try await pair.bob.setBlocked(true, pair.contactAnn.id)
            let told = Task { [updates = pair.bob.updates] () -> [CallID] in
                var calls: [CallID] = []
                for await update in updates {
                    switch update {
                    case .incoming(let call):
                        calls.append(call.id)
                        return calls
                    case .missed(let call): calls.append(call.id)
                    case .refused(let call, _): calls.append(call.id)
                    default: break
                    }
                }
                return calls
            }
            let unheard = try await pair.ann.call(pair.contactBob, media: .audio)
            try await unheard.state("Bob's device has it") { $0.isDelivered }
            await unheard.hangUp()
            try await waitUntil("both are counted") { await pair.bob.center.rejections[.blocked] == 2 }
            try await pair.bob.setBlocked(false, pair.contactAnn.id)
            let (heard, _) = try await pair.ring(.audio)
            #expect(await told.value == [heard.id])
            await heard.hangUp()
        }
    }

    @Test func `a call that rings goes here, and rings on for its caller`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let clock = HurriedClock()
            let pair = try await Pair(neighbourhood, ann: { $0.callClock = clock })
            let (ann, bob) = try await pair.ring(.audio)
            try await ann.state("Bob's device has it") { $0.isDelivered && $0.setup.ringing != nil }
            try await pair.bob.setBlocked(true, pair.contactAnn.id)
            #expect(try await bob.endReason() == .declined)
            #expect(await pair.bob.invitations().isEmpty)
            await pair.bob.flush()
            // A message that had been sent would be there by now.
            let profile = Profile(displayName: "Robert", calls: .yes)
            try await pair.bob.tell(profile, to: pair.contactAnn.id)
            try await waitUntil("Ann knows Bob's new name") { await pair.ann.contacts().first?.offeredName == "Robert" }
            #expect(ann.status == .calling)
            clock.skip(.seconds(60))
            #expect(try await ann.endReason() == .noAnswer)
        }
    }

    @Test func `a call that is on ends, and a blocked contact is not called`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, bob) = try await pair.talk(.audio)
            try await pair.bob.setBlocked(true, pair.contactAnn.id)
            #expect(try await bob.endReason() == .hungUp)
            #expect(try await ann.endReason() == .peerHungUp)
            let contact = try await pair.bob.contact(named: "Ann")
            #expect(contact.isBlocked)
            await #expect(throws: AccountError.contactBlocked("Ann")) {
                _ = try await pair.bob.call(contact, media: .audio)
            }
            // Ann is not told, and has not blocked anybody.
            #expect(await pair.ann.contacts().map(\.isBlocked) == [false])
        }
    }

    @Test func `their profile is read on`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            try await pair.bob.setBlocked(true, pair.contactAnn.id)
            try await pair.ann.tell(Profile(displayName: "Anna", calls: .yes), to: pair.contactBob.id)
            try await waitUntil("the name is offered") {
                await pair.bob.contacts().first?.offeredName == "Anna"
            }
            #expect(await pair.bob.contacts().map(\.isBlocked) == [true])
        }
    }

    @Test func `a contact stays blocked after a restart, and what it left neither rings nor is told`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            try await pair.bob.setBlocked(true, pair.contactAnn.id)
            // As if the process had been killed between the block and the end of what rang, and more came meanwhile.
            let (kept, old) = (CallID.random(), CallID.random())
            let type = CallType(media: .audio, encryption: true)
            let invitation = CallInvitation(callType: type, publicKey: CallKeys().publicKey)
            let now = SystemCallClock().wallClock()
            let invitations = [(kept, now), (old, 1_000)].map { id, arrivedAt in
                KeptInvitation(
                    callID: id, contact: pair.contactAnn.id, invitation: invitation, arrivedAt: arrivedAt, ringTime: 60)
            }
            try await pair.bob.agent.setApplicationData("invitations", to: InvitationBook(invitations).encoded())
            await pair.bob.close()
            let waiting = try await pair.ann.call(pair.contactBob, media: .audio)
            try await waiting.state("the relay has it") { $0.setup.ringing != nil }

            let bob = try await neighbourhood.open("Bob")
            #expect(await bob.contacts().map(\.isBlocked) == [true])
            try await waiting.state("Bob's device has it") { $0.isDelivered }
            try await waitUntil("it is forgotten") { try await bob.agent.applicationData("invitations") == nil }
            #expect(await bob.invitations().isEmpty)
            await waiting.hangUp()
            try await waitUntil("both are counted") { await bob.center.rejections[.blocked] == 2 }
            let told = Task { [updates = bob.updates] () -> CallID? in
                for await update in updates {
                    switch update {
                    case .incoming(let call): return call.id
                    case .missed(let call): return call.id
                    case .refused(let call, _): return call.id
                    default: break
                    }
                }
                return nil
            }
            try await bob.setBlocked(false, pair.contactAnn.id)
            let next = try await pair.ann.call(pair.contactBob, media: .audio)
            #expect(await told.value == next.id)
            await next.hangUp()
        }
    }

    @Test func `a block that cannot be stored holds all the same, is said so, and is kept when the store works`()
        async throws
    {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let store = await pair.bob.agent.store
            store.interruption.withLock { hook in
                hook = { moment in if moment == .beforeCommit { throw StoreError.full } }
            }
            await #expect(throws: AccountError.blockNotKept(.agent(.full))) {
                try await pair.bob.setBlocked(true, pair.contactAnn.id)
            }
            #expect(await pair.bob.contacts().map(\.isBlocked) == [true])
            await #expect(throws: AccountError.contactBlocked("Ann")) {
                _ = try await pair.bob.call(pair.contactAnn, media: .audio)
            }
            store.interruption.withLock { $0 = nil }
            try await waitUntil("it is kept", within: .seconds(60)) { await !pair.bob.lacksContacts }
            let stored = try #require(try await pair.bob.agent.applicationData(Account.contactsName))
            #expect(try ContactBook(decoding: stored).contacts.map(\.isBlocked) == [true])
        }
    }

    @Test func `whom nobody knows cannot be blocked`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            await #expect(throws: AccountError.connection(.agent(.unknownConnection))) {
                try await account.setBlocked(true, ContactID(rawValue: "nobody"))
            }
            #expect(await account.contacts().isEmpty)
        }
    }
}

extension Account {
    /// Tells a contact of another profile.
    fileprivate func tell(_ profile: Profile, to contact: ContactID) async throws {
        let message = try ChatMessage(.information(profile)).encoded()
        _ = try await agent.send(message, on: ConnectionID(rawValue: contact.rawValue), notify: false)
    }
}
