import Calling
import Signaling
import TestSupport
import Testing

@testable import Parley

/// Bob, who can have several calls, and Ann and Carol, who call him.
private struct Trio: Sendable {
    let pair: Pair
    let carol: Account
    /// Bob, as Carol has him.
    let contactBob: Contact

    init(_ neighbourhood: Neighbourhood) async throws {
        pair = try await Pair(neighbourhood, bob: { $0.mostCalls = 4 })
        carol = try await neighbourhood.open("Carol")
        let invitation = try await pair.bob.makeInvitation()
        contactBob = try await carol.connect(link: invitation.link)
        _ = try await invitation.connected()
    }

    /// Carol calls Bob: both ends of a call that rings.
    func ring() async throws -> (carol: Call, bob: Call) {
        let outgoing = try await carol.call(contactBob, media: .video)
        return (outgoing, try await pair.bob.incoming(outgoing.id))
    }
}

@Suite("Several calls of one person", .timeLimit(.minutes(5))) struct SeveralCallsTests {
    @Test func `a second caller waits, is taken while the first is on hold, and both are swapped`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let trio = try await Trio(neighbourhood)
            let (ann, bobsFirst) = try await trio.pair.talk()
            try await bobsFirst.receives(video: 5, audio: 5)
            let (carol, bobsSecond) = try await trio.ring()
            try await bobsSecond.state("it waits") { $0.isRinging && $0.isWaiting }
            try await carol.state("Carol sees that Bob is in another call") { $0.isWaitingAtPeer }
            await #expect(throws: CallError.busy) { try await bobsSecond.accept(media: .video) }

            try await bobsSecond.accept(media: .video, present: .hold)
            try await ann.state("Ann sees that she is on hold") { $0.hold.isHeldByPeer }
            try await bobsSecond.state("the second is on") { $0.isActive }
            try await carol.state("Carol does not wait any more") { $0.isActive && !$0.isWaitingAtPeer }
            try await bobsSecond.receives(video: 5, audio: 5)
            try await ann.state("nothing comes from Bob") { !$0.peerMicrophone && !$0.peerCamera }
            #expect(bobsFirst.state.isActive && ann.state.isActive)

            try await bobsFirst.resume()
            try await carol.state("Carol is on hold now") { $0.hold.isHeldByPeer }
            try await ann.state("Bob is heard and seen again") {
                !$0.hold.isHeldByPeer && $0.peerMicrophone && $0.peerCamera
            }
            #expect(bobsSecond.state.hold.isHeldHere && !bobsFirst.state.hold.isHeldHere)

            await bobsFirst.hangUp()
            #expect(try await ann.endReason() == .peerHungUp)
            #expect(bobsSecond.state.hold.isHeldHere && bobsSecond.state.isActive)
            await carol.hangUp()
            #expect(try await bobsSecond.endReason() == .peerHungUp)
        }
    }

    @Test func `end and accept leaves one call`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let trio = try await Trio(neighbourhood)
            let (ann, _) = try await trio.pair.talk(.audio)
            let (carol, bobsSecond) = try await trio.ring()
            try await bobsSecond.accept(media: .audio, present: .end)
            #expect(try await ann.endReason() == .peerHungUp)
            try await carol.state("Carol talks to Bob") { $0.isActive }
            #expect(await trio.pair.bob.calls.count == 1)
        }
    }

    @Test func `who takes no calls is busy for everybody until they take calls again`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            await pair.bob.setBusy(true)
            let call = try await pair.ann.call(pair.contactBob, media: .audio)
            #expect(try await call.endReason() == .peerBusy)
            await pair.bob.setBusy(false)
            let (_, bob) = try await pair.ring()
            #expect(bob.state.isRinging)
        }
    }

    @Test func `who is busy by choice is so after the next start, whatever is said for now`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            #expect(await pair.bob.isBusyByChoice == nil)
            try await pair.bob.setBusyByChoice(true)
            await pair.bob.setBusy(false)
            let first = try await pair.ann.call(pair.contactBob, media: .audio)
            #expect(try await first.endReason() == .peerBusy)
            await pair.bob.close()
            let bob = try await neighbourhood.open("Bob")
            #expect(await bob.isBusyByChoice == true)
            let second = try await pair.ann.call(pair.contactBob, media: .audio)
            #expect(try await second.endReason() == .peerBusy)
            try await bob.setBusyByChoice(false)
            let third = try await pair.ann.call(pair.contactBob, media: .audio)
            #expect(try await bob.incoming(third.id).state.isRinging)
        }
    }

    @Test func `a contact of before is told once what this program understands`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, bob) = (pair.contactAnn.id, pair.contactBob.id)
            #expect(await pair.ann.book[bob]?.abilities == .own(takingGroups: true))
            #expect(await pair.bob.book[ann]?.abilities == .own(takingGroups: true))
            // As an earlier version left it.
            await pair.ann.change(bob) { $0.abilities = [] }
            await pair.bob.change(ann) { $0.toldAbilities = [] }
            await pair.bob.close()
            let again = try await neighbourhood.open("Bob")
            try await waitUntil("Ann knows") { await pair.ann.book[bob]?.abilities == .own(takingGroups: true) }
            try await waitUntil("it is noted") { await again.book[ann]?.toldAbilities == .own(takingGroups: true) }
            #expect(await pair.ann.book.contacts.map(\.offeredName) == [nil])
        }
    }
}
