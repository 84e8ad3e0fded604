import Calling
import Signaling
import Synchronization
import TestSupport
import Testing

@testable import Agent
@testable import Parley

/// Calls that ring while the process dies, and what becomes of them in its next life.
@Suite(.timeLimit(.minutes(5))) struct InvitationTests {
    @Test func `a call rings again after the process was killed, and can be accepted`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, first) = try await pair.ring(.audio)
            try await pair.bob.keeps(ann.id)
            await pair.bob.kill()
            #expect(first.status == .ringing && ann.status == .calling)
            let bob = try await neighbourhood.open("Bob")
            let second = try await bob.incoming(ann.id)
            #expect(second.contact.name == "Ann" && second.media == .audio)
            try await second.accept(media: .audio)
            for call in [ann, second] { try await call.state("it is on") { $0.status == .active } }
            #expect(await bob.invitations().isEmpty)
            await ann.hangUp()
            #expect(try await second.endReason() == .peerHungUp)
            #expect(second.status == .ended(.peerHungUp))
            try await bob.forgets(ann.id)
        }
    }

    @Test func `the invitations that wait are listed`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            #expect(await pair.bob.invitations().isEmpty)
            let (ann, bob) = try await pair.ring(.video)
            let pending = try #require(await pair.bob.invitations().first)
            #expect(pending.id == ann.id && pending.contact.name == "Ann" && pending.media == .video)
            #expect(pending.profile == "Bob" && pending.arrivedAt > 1_600_000_000)
            #expect(await pair.ann.invitations().isEmpty)
            await bob.decline()
            _ = try await ann.endReason()
            #expect(await pair.bob.invitations().isEmpty)
        }
    }

    @Test func `a call that was ended while the process was dead is missed and does not ring`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, _) = try await pair.ring(.audio)
            try await pair.bob.keeps(ann.id)
            await pair.bob.kill()
            await ann.hangUp()
            await pair.ann.flush()
            let bob = try await neighbourhood.open("Bob")
            let news = try await bob.news(until: .missed(ann.id))
            #expect(!news.contains(.incoming(ann.id)))
            try await bob.forgets(ann.id)
        }
    }

    @Test func `a call that came and was ended while nobody was there is missed and does not ring`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            await pair.bob.close()
            let ann = try await pair.ann.call(pair.contactBob, media: .audio)
            try await ann.state("the relay has it") { $0.setup.ringing != nil }
            await ann.hangUp()
            await pair.ann.flush()
            let bob = try await neighbourhood.open("Bob")
            #expect(!(try await bob.news(until: .missed(ann.id))).contains(.incoming(ann.id)))
        }
    }

    @Test func `a call that was accepted as the process was killed is over for both and does not ring`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, _) = try await pair.talk(.audio)
            #expect(await pair.bob.invitations().isEmpty)
            await pair.bob.kill()
            let bob = try await neighbourhood.open("Bob")
            let news = try await bob.news(until: .over(ann.id, .connectionLost))
            #expect(!news.contains(.incoming(ann.id)) && !news.contains(.missed(ann.id)))
            #expect(try await ann.endReason() == .peerHungUp)
            try await bob.forgets(ann.id)
        }
    }

    @Test func `a call that was declined as the process was killed does not ring again`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, first) = try await pair.ring(.audio)
            try await pair.bob.keeps(ann.id)
            await first.decline()
            #expect(try await ann.endReason() == .declinedByPeer)
            await pair.bob.kill()
            let bob = try await neighbourhood.open("Bob")
            #expect(await bob.invitations().isEmpty)
            // Another call comes after whatever was left of the first.
            let next = try await pair.ann.call(pair.contactBob, media: .audio)
            let news = try await bob.news(until: .incoming(next.id))
            #expect(!news.contains(.incoming(ann.id)))
            await next.hangUp()
        }
    }

    @Test(arguments: [(false, false), (true, false), (false, true)])
    func `what is kept of an invitation is read as it was written`(isAccepted: Bool, isIgnored: Bool) throws {
        let kept = KeptInvitation(
            callID: .random(), contact: ContactID(rawValue: "a"),
            invitation: CallInvitation(
                callType: CallType(media: .audio, encryption: true), publicKey: CallKeys().publicKey),
            arrivedAt: 1_000, ringTime: 60, isAccepted: isAccepted, isIgnored: isIgnored)
        #expect(try InvitationBook(decoding: try #require(InvitationBook([kept]).encoded())).invitations == [kept])
    }

    @Test func `an old invitation is missed at the next start`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let id = CallID.random()
            let invitation = CallInvitation(
                callType: CallType(media: .video, encryption: true), publicKey: CallKeys().publicKey)
            let kept = KeptInvitation(
                callID: id, contact: pair.contactAnn.id, invitation: invitation, arrivedAt: 1_000, ringTime: 60)
            let book = try #require(InvitationBook([kept]).encoded())
            #expect(try InvitationBook(decoding: book).invitations == [kept])
            try await pair.bob.agent.setApplicationData("invitations", to: book)
            await pair.bob.kill()
            let bob = try await neighbourhood.open("Bob")
            #expect(!(try await bob.news(until: .missed(id))).contains(.incoming(id)))
            try await bob.forgets(id)
        }
    }

    @Test func `what cannot be read is forgotten and the account opens`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            try await pair.bob.agent.setApplicationData("invitations", to: [1, 2, 3])
            await pair.bob.close()
            let bob = try await neighbourhood.open("Bob")
            try await waitUntil("it is forgotten") { try await bob.agent.applicationData("invitations") == nil }
        }
    }

    @Test func `an invitation of a removed contact is forgotten`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, _) = try await pair.ring(.audio)
            try await pair.bob.keeps(ann.id)
            try await pair.bob.remove(pair.contactAnn.id)
            try await pair.bob.forgets(ann.id)
            #expect(await pair.bob.invitations().isEmpty)
        }
    }

    @Test func `keeping an invitation costs no transaction of its own`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood, bob: { $0.sendsReceipts = false })
            let transactions = Mutex(0)
            let store = await pair.bob.agent.store
            store.interruption.withLock { hook in
                hook = { moment in if moment == .beforeCommit { transactions.withLock { $0 += 1 } } }
            }
            try await waitUntil("nothing is stored for a second", within: .seconds(40)) {
                let before = transactions.withLock { $0 }
                try await Task.sleep(for: .seconds(1))
                return transactions.withLock { $0 } == before
            }
            transactions.withLock { $0 = 0 }
            let (ann, _) = try await pair.ring(.audio)
            try await pair.bob.keeps(ann.id)
            store.interruption.withLock { $0 = nil }
            // One takes the message in, one acknowledges it.
            #expect(transactions.withLock { $0 } == 2)
            await ann.hangUp()
        }
    }

    @Test func `a store that fails keeps no call from ringing`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let store = await pair.bob.agent.store
            let kept = pair.bob.keptInvitations
            store.interruption.withLock { hook in
                // Everything that would keep an invitation fails; the message itself comes in.
                hook = { moment in if moment == .beforeCommit, !kept.invitations.isEmpty { throw StoreError.full } }
            }
            let (ann, bob) = try await pair.ring(.audio)
            try await waitUntil("that is counted") { kept.failureCount > 0 }
            #expect(bob.status == .ringing)
            #expect(try await pair.bob.agent.applicationData("invitations") == nil)
            store.interruption.withLock { $0 = nil }
            try await pair.bob.keeps(ann.id)
            await ann.hangUp()
            #expect(try await bob.endReason() == .missed)
        }
    }

    @Test func `who accepts too late is told that the caller has given up`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, bob) = try await pair.ring(.audio)
            await ann.hangUp()
            #expect(try await bob.endReason() == .missed)
            await #expect(throws: CallError.over(.missed)) { try await bob.accept(media: .audio) }
        }
    }

    @Test func `who accepts a call that its caller has forgotten is told that it is over`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (_, bob) = try await pair.ring(.audio)
            await pair.ann.kill()
            _ = try await neighbourhood.open("Ann")
            try await bob.accept(media: .audio)
            #expect(try await bob.endReason() == .peerHungUp)
        }
    }

    @Test func `a call that rings when its account is closed is not declined and rings on`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, _) = try await pair.ring(.audio)
            await pair.bob.close()
            let bob = try await neighbourhood.open("Bob")
            let again = try await bob.incoming(ann.id)
            await again.decline()
            #expect(try await ann.endReason() == .declinedByPeer)
        }
    }
}

/// What is told of calls.
private enum CallNews: Equatable {
    case incoming(CallID)
    case missed(CallID)
    case over(CallID, CallEndReason)
}

extension Account {
    /// What is told of calls up to this.
    fileprivate nonisolated func news(until last: CallNews) async throws -> [CallNews] {
        try await limited("\(last) is told") { [updates] in
            var news: [CallNews] = []
            for await update in updates {
                switch update {
                case .incoming(let call): news.append(.incoming(call.id))
                case .missed(let call): news.append(.missed(call.id))
                case .refused(let call, let reason): news.append(.over(call.id, reason))
                default: break
                }
                if news.last == last { return news }
            }
            throw Overdue("The account was closed before \(last) was told.")
        }
    }

    /// Waits until an invitation is on disk.
    fileprivate func keeps(_ id: CallID) async throws {
        try await waitUntil("the invitation is kept") { try await storedInvitations().contains(id) }
    }

    /// Waits until an invitation is not on disk any more.
    fileprivate func forgets(_ id: CallID) async throws {
        try await waitUntil("the invitation is forgotten") { try await !storedInvitations().contains(id) }
    }

    private func storedInvitations() async throws -> [CallID] {
        try await agent.applicationData("invitations").map {
            try InvitationBook(decoding: $0).invitations.map(\.callID)
        }
            ?? []
    }
}
