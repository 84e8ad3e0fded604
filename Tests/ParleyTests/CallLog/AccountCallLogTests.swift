import Calling
import Signaling
import TestSupport
import Testing
import Wording

@testable import Agent
@testable import Parley

/// The log of accounts that call each other.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AccountCallLogTests {
    @Test func `a whole call is in both logs with all that is known of it`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, bob) = try await pair.talk()
            for call in [ann, bob] { try await call.receives(video: 1, audio: 1) }
            for call in [ann, bob] {
                try await waitUntil("the connection is known") { await call.statistics()?.link.target ?? 0 > 0 }
            }
            await ann.hangUp()
            let here = try await pair.ann.entries(1)[0].record
            let there = try await pair.bob.entries(1)[0].record
            #expect(here.direction == .outgoing && there.direction == .incoming)
            #expect(here.name == "Bob" && there.name == "Ann")
            #expect(here.contact == pair.contactBob.id && here.callID == ann.id && there.callID == ann.id)
            #expect(here.reason == .hungUp && there.reason == .peerHungUp)
            for record in [here, there] {
                #expect(record.result == .completed && record.media == .video && !record.isMissed)
                #expect(record.startedAt > 1_600_000_000)
                #expect(try #require(record.duration) > 0)
                let (answered, ended) = (try #require(record.answeredAt), try #require(record.endedAt))
                #expect(answered >= record.startedAt && ended >= answered)
                #expect(record.setup.steps.count == 7)
                #expect(record.isFrameEncrypted == true && record.isFingerprintVerified)
                #expect(try #require(record.quality).target > 0)
                #expect(try #require(record.path).kind == .direct)
                let data = try #require(record.data)
                #expect(data.sent > 0 && data.received > 0)
            }
            #expect(try await pair.ann.underWay() == [])
        }
    }

    @Test func `calls that nobody took are in both logs`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, _) = try await pair.ring(.audio)
            await ann.hangUp()
            #expect(try await pair.ann.entries(1)[0].record.result == .canceled)
            let missed = try await pair.bob.entries(1)[0].record
            #expect(missed.result == .noAnswer && missed.isMissed && missed.reason == .missed)
            #expect(missed.media == .audio && missed.answeredAt == nil && missed.duration == nil)
            let (second, declined) = try await pair.ring(.video)
            await declined.decline()
            _ = try await second.endReason()
            #expect(try await pair.ann.entries(2)[0].record.result == .declined)
            #expect(try await pair.bob.entries(2)[0].record.result == .declined)
            var filter = CallLogFilter()
            filter.onlyMissed = true
            #expect(try await pair.bob.callLog(filter).next().map(\.record) == [missed])
            #expect(try await pair.bob.callLog(text: "aNN").next().count == 2)
            #expect(try await pair.bob.callLog(text: "Bob").next() == [])
        }
    }

    @Test func `calls with a contact stay out of the log by wish, also after the next start`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            await pair.bob.setKeepsCalls(false, with: pair.contactAnn.id)
            #expect(await pair.bob.contacts().first?.keepsCalls == false)
            let (ann, first) = try await pair.ring(.audio)
            await ann.hangUp()
            _ = try await pair.ann.entries(1)
            #expect(try await first.endReason() == .missed)
            await pair.bob.close()
            let bob = try await neighbourhood.open("Bob")
            #expect(try await bob.callLog().next() == [])
            #expect(await bob.contacts().first?.keepsCalls == false)
            await bob.setKeepsCalls(true, with: pair.contactAnn.id)
            let second = try await pair.ann.call(pair.contactBob, media: .audio)
            _ = try await bob.incoming(second.id)
            await second.hangUp()
            #expect(try await bob.entries(1)[0].record.callID == second.id)
        }
    }

    @Test func `an entry can be read when the contact is gone`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, _) = try await pair.ring(.audio)
            await ann.hangUp()
            _ = try await pair.bob.entries(1)
            try await pair.bob.remove(pair.contactAnn.id)
            let entry = try await pair.bob.entries(1)[0].record
            #expect(entry.name == "Ann" && entry.contact == pair.contactAnn.id)
            #expect(try await pair.bob.contactsInLog(named: ["Ann"]) == [pair.contactAnn.id])
            await #expect(throws: AccountError.unknownContact("Eve")) {
                try await pair.bob.contactsInLog(named: ["Eve"])
            }
        }
    }

    @Test func `calls are deleted one by one and all at once`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            for _ in 0..<3 {
                let (ann, bob) = try await pair.ring(.audio)
                await bob.decline()
                _ = try await ann.endReason()
            }
            let calls = try await pair.bob.entries(3)
            try await pair.bob.deleteCalls([calls[1].id])
            #expect(try await pair.bob.callLog().next() == [calls[0], calls[2]])
            try await pair.bob.deleteAllCalls()
            #expect(try await pair.bob.callLog().next() == [])
            #expect(try await pair.ann.entries(3).count == 3)
        }
    }

    @Test func `an outgoing call is told and kept when the process was killed in it`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, _) = try await pair.talk(.audio)
            try await waitUntil("that it is on is kept") { try await pair.ann.underWay().first?.answeredAt != nil }
            await pair.ann.kill()
            let again = try await neighbourhood.open("Ann")
            #expect(
                try await again.cutOffNotice() == "The call with Bob was cut off because Parley ended unexpectedly.")
            let entry = try await again.entries(1)[0].record
            #expect(entry.callID == ann.id && entry.result == .connectionLost && entry.direction == .outgoing)
            #expect(entry.answeredAt != nil && entry.endedAt == nil && entry.reason == nil)
            #expect(try await again.underWay() == [])
            await again.close()
            // Once is enough.
            let third = try await neighbourhood.open("Ann")
            #expect(try await third.callLog().next().count == 1)
        }
    }

    @Test func `a call that only rang there is told as well`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            _ = try await pair.ring(.audio)
            try await waitUntil("that it was dialled is kept") { try await !pair.ann.underWay().isEmpty }
            #expect(try await pair.bob.underWay() == [])
            await pair.ann.kill()
            let again = try await neighbourhood.open("Ann")
            _ = try await again.cutOffNotice()
            #expect(try await again.entries(1)[0].record.result == .dialFailed)
        }
    }

    @Test func `an accepted call is in the log once when the process was killed in it`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, _) = try await pair.talk(.audio)
            try await waitUntil("that it is on is kept") { try await pair.bob.underWay().first?.answeredAt != nil }
            await pair.bob.kill()
            let again = try await neighbourhood.open("Bob")
            let entry = try await again.entries(1)[0].record
            #expect(entry.callID == ann.id && entry.result == .connectionLost && entry.direction == .incoming)
            #expect(entry.answeredAt != nil && entry.endedAt == nil)
            _ = try await ann.endReason()
            await again.close()
            let third = try await neighbourhood.open("Bob")
            #expect(try await third.callLog().next().count == 1)
            #expect(try await third.underWay() == [])
        }
    }

    @Test func `what goes on is kept also when the log is off`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            var settings = CallLogSettings()
            settings.isOn = false
            try await pair.ann.setCallLogSettings(settings)
            #expect(await pair.ann.callLogSettings == settings)
            _ = try await pair.ring(.audio)
            try await waitUntil("that it was dialled is kept") { try await !pair.ann.underWay().isEmpty }
            await pair.ann.kill()
            let again = try await neighbourhood.open("Ann")
            _ = try await again.cutOffNotice()
            #expect(try await again.callLog().next() == [])
        }
    }

    @Test func `a call that the end of the program ends is in the log`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            _ = try await pair.ring(.audio)
            await pair.ann.close()
            let again = try await neighbourhood.open("Ann")
            #expect(try await again.callLog().next().map(\.record.result) == [.canceled])
            #expect(try await again.underWay() == [])
        }
    }
}

extension Account {
    /// Ends the process as far as its disk can tell: nothing is written any more, and nothing leaves.
    func kill() async {
        agent.store.interruption.withLock { hook in hook = { _ in throw StoreError.closed } }
        await close()
    }

    /// Waits until so many calls are in the log, newest first.
    func entries(_ count: Int) async throws -> [LoggedCall] {
        try await waitUntil("\(count) calls are in the log") { try await callLog().next().count >= count }
        return try await callLog().next()
    }

    /// What is on disk of calls that go on.
    func underWay() async throws -> [CallUnderWay] {
        try await agent.applicationData("calls-under-way").flatMap(CallsUnderWay.decoded) ?? []
    }

    /// The sentence about a call that was cut off.
    nonisolated func cutOffNotice() async throws -> String {
        try await limited("it is told") { [updates] in
            for await case .notice(let notice) in updates { if case .callCutOff = notice { return notice.sentence } }
            throw Overdue("The account was closed before it was told.")
        }
    }
}
