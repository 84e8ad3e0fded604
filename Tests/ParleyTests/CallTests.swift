import BaseKit
import Calling
import Media
import MediaRules
import Signaling
import Synchronization
import TestSupport
import Testing

@testable import Agent
@testable import Parley

/// Whole calls between two accounts of one process. One after the other: each encodes and decodes two pictures.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CallTests {
    @Test func `two people see and hear each other twice`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let first = try await pair.talk()
            for call in [first.ann, first.bob] { try await call.receives(video: 5, audio: 20) }
            #expect(first.ann.remoteVideo?.latest() != nil)
            #expect(first.bob.remoteVideo?.latest() != nil)
            await first.ann.hangUp()
            #expect(try await first.ann.endReason() == .hungUp)
            #expect(try await first.bob.endReason() == .peerHungUp)
            for call in [first.ann, first.bob] {
                let summary = await call.summary()
                #expect(summary.result == "completed")
                #expect(summary.relay == neighbourhood.relay)
                #expect(summary.smpVersion == 17)
                #expect(summary.setup.steps.count == 7)
                let times = summary.setup.steps.map(\.milliseconds)
                #expect(times == times.sorted())
                for counts in [summary.sent, summary.received] {
                    #expect(counts.videoFrames >= 5)
                    #expect(counts.audioFrames >= 20)
                    #expect(counts.framesRejected == 0)
                    #expect(counts.frameEncryption == "aes-256-gcm")
                    #expect(counts.fingerprintVerified)
                }
            }

            let second = try await pair.talk()
            #expect(second.ann.id != first.ann.id)
            for call in [second.ann, second.bob] { try await call.receives(video: 1, audio: 1) }
            await second.bob.hangUp()
            #expect(try await second.bob.endReason() == .hungUp)
            #expect(try await second.ann.endReason() == .peerHungUp)
            #expect(await second.ann.summary().result == "completed")
        }
    }

    @Test func `a hang up is seen within seconds also when the relay has died`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, bob) = try await pair.talk()
            for call in [ann, bob] { try await call.receives(video: 1, audio: 1) }
            await neighbourhood.server.stop()
            let start = Instant.now
            Task { await ann.hangUp() }
            #expect(try await bob.endReason() == .peerHungUp)
            #expect(Instant.now - start < .seconds(5))
            #expect(await bob.summary().result == "completed")
        }
    }

    @Test func `a call without picture carries none`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, bob) = try await pair.talk(.audio)
            for call in [ann, bob] { try await call.receives(video: 0, audio: 50) }
            #expect(ann.state.media == .audio)
            await bob.hangUp()
            for call in [ann, bob] {
                _ = try await call.endReason()
                let summary = await call.summary()
                #expect(summary.sent.videoFrames == 0)
                #expect(summary.received.videoFrames == 0)
                #expect(summary.result == "completed")
            }
        }
    }

    @Test func `a call goes on without camera and microphone and says so`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(
                neighbourhood,
                ann: {
                    $0.camera = .named("no such camera")
                    $0.microphone = .named("no such microphone")
                    $0.speaker = .named("no such speaker")
                })
            let (ann, bob) = try await pair.talk()
            try await ann.receives(video: 2, audio: 10)
            let state = try await ann.state("three notices") { $0.notices.count >= 3 }
            for kind in DeviceKind.allCases {
                let notice = MediaNotice.device(.notFound(kind, "no such \(kind.rawValue)", instead: nil))
                #expect(state.notices.contains(notice), "\(state.notices)")
            }
            #expect(!ann.state.cameraEnabled)
            #expect(bob.state.cameraEnabled && !bob.state.peerCamera)
            await ann.setCameraEnabled(true)
            #expect(!ann.state.cameraEnabled)
            await ann.hangUp()
            #expect(try await bob.endReason() == .peerHungUp)
            // The other side may see the end first.
            #expect(try await ann.endReason() == .hungUp)
            #expect(await ann.summary().result == "completed")
            #expect(await bob.summary().received.videoFrames == 0)
        }
    }

    @Test func `the other side sees the microphone and the camera go off and on`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, bob) = try await pair.talk()
            try await bob.state("Ann is seen and heard") { $0.peerMicrophone && $0.peerCamera }
            await ann.setMicrophoneEnabled(false)
            #expect(!ann.state.microphoneEnabled)
            try await bob.state("Ann is not heard") { !$0.peerMicrophone && $0.peerCamera }
            await ann.setMicrophoneEnabled(true)
            await ann.setCameraEnabled(false)
            try await bob.state("Ann is heard and not seen") { $0.peerMicrophone && !$0.peerCamera }
            await ann.setCameraEnabled(true)
            try await bob.state("Ann is seen again") { $0.peerMicrophone && $0.peerCamera }
            #expect(ann.state.isActive)
        }
    }

    @Test func `a call with sound gets pictures and a screen while it lasts`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, bob) = try await pair.talk(.audio)
            try await bob.receives(video: 0, audio: 20)
            #expect(!ann.state.cameraEnabled && !bob.state.peerCamera)
            await ann.setCameraEnabled(true)
            try await bob.state("Ann is seen") { $0.peerCamera && !$0.peerScreen }
            #expect(ann.state.cameraEnabled)
            await ann.startScreen(.test, withSound: true)
            try await ann.state("it is shared") { $0.screenSharing == .on(withSound: true) }
            try await bob.state("Ann's screen is seen") { $0.peerCamera && $0.peerScreen }
            try await waitUntil("its picture") { bob.remoteScreen?.latest()?.width == 1_280 }
            await ann.stopScreen()
            try await ann.state("it is not shared") { $0.screenSharing == .off }
            try await bob.state("Ann's screen has gone") { $0.peerCamera && !$0.peerScreen }
            #expect(ann.state.notices.isEmpty)
        }
    }

    @Test func `accepted with sound only the camera is shown off on both sides and one step turns it on`() async throws
    {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, bob) = try await pair.ring()
            #expect(ann.state.cameraEnabled && bob.state.cameraEnabled)
            try await bob.accept(media: .audio)
            for call in [ann, bob] {
                try await call.state("it is on, and the camera off") { $0.isActive && !$0.cameraEnabled }
            }
            await bob.setCameraEnabled(true)
            #expect(bob.state.cameraEnabled)
            try await ann.state("Bob is seen") { $0.peerCamera }
            #expect(!ann.state.cameraEnabled && !bob.state.peerCamera)
        }
    }

    @Test func `a running call costs no transaction of the store`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, bob) = try await pair.talk(.audio)
            try await bob.receives(video: 0, audio: 10)
            let transactions = Mutex(0)
            let store = await pair.bob.agent.store
            store.interruption.withLock { hook in
                hook = { _ in transactions.withLock { $0 += 1 } }
            }
            // The last candidates may still be on their way.
            try await waitUntil("nothing is stored for two seconds", within: .seconds(40)) {
                let before = transactions.withLock { $0 }
                try await Task.sleep(for: .seconds(2))
                return transactions.withLock { $0 } == before
            }
            let before = transactions.withLock { $0 }
            for isOn in [false, true, false, true] {
                await ann.setMicrophoneEnabled(isOn)
                try await bob.state("Ann is heard: \(isOn)") { $0.peerMicrophone == isOn }
            }
            #expect(transactions.withLock { $0 } == before)
            store.interruption.withLock { $0 = nil }
        }
    }

    @Test func `a microphone that is off before the answer stays off`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, bob) = try await pair.ring()
            await ann.setMicrophoneEnabled(false)
            try await bob.accept(media: .video)
            do {
                try await bob.receives(video: 10, audio: 0)
            } catch {
                throw Overdue("\(error), Ann: \(ann.state) \(await ann.summary())")
            }
            #expect(await bob.summary().received.audioFrames == 0)
            #expect(await ann.summary().sent.audioFrames == 0)
            #expect(!ann.state.microphoneEnabled)
        }
    }

    @Test func `closing an account ends its calls on both sides`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, bob) = try await pair.talk(.audio)
            async let lastOfAnn = ann.endReason()
            // A cancelled task closes as thoroughly.
            let closing = Task { await pair.ann.close() }
            closing.cancel()
            await closing.value
            #expect(try await lastOfAnn == .hungUp)
            #expect(try await bob.endReason() == .peerHungUp)
            await #expect(throws: (any Error).self) { _ = try await pair.ann.makeInvitation() }
        }
    }
}

/// Calls that never get as far as media.
@Suite(.timeLimit(.minutes(5))) struct RingingTests {
    @Test func `a declined call ends for both`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let (ann, bob) = try await Pair(neighbourhood).ring()
            #expect(bob.state.phase == .ringingIn)
            #expect(bob.state.isRinging)
            #expect(bob.media == .video)
            await bob.decline()
            #expect(try await bob.endReason() == .declined)
            #expect(try await ann.endReason() == .declinedByPeer)
            #expect(await ann.summary().result == "declinedByPeer")
        }
    }

    @Test func `a cancelled call is missed`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let told = Task { [updates = pair.bob.updates] in
                var missed: [MissedCall] = []
                for await update in updates { if case .missed(let call) = update { missed.append(call) } }
                return missed
            }
            let (ann, bob) = try await pair.ring(.audio)
            await ann.hangUp()
            #expect(try await ann.endReason() == .cancelled)
            #expect(try await bob.endReason() == .missed)
            await #expect(throws: CallError.over(.missed)) { try await bob.accept(media: .audio) }
            await pair.bob.close()
            let missed = try await limited("Bob's account is closed") { await told.value }
            #expect(missed.map(\.contact.name) == ["Ann"] && missed.map(\.hindrance) == [nil])
            #expect(missed.map(\.id) == [ann.id])
            #expect(missed.map(\.rang) == [true])
        }
    }

    @Test func `who calls somebody in a call hears that they are busy and is named to them once`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let carol = try await neighbourhood.open("Carol")
            let invitation = try await pair.bob.makeInvitation()
            let contactBob = try await carol.connect(link: invitation.link)
            _ = try await invitation.connected()
            let missed = Task {
                try await pair.bob.update("a missed call") { update -> MissedCall? in
                    if case .missed(let call) = update { call } else { nil }
                }
            }
            let (ann, bob) = try await pair.ring(.audio)
            let call = try await carol.call(contactBob, media: .video)
            #expect(try await call.endReason() == .peerBusy)
            let note = try await missed.value
            #expect(note.contact.name == "Carol" && note.hindrance == .otherCalls)
            #expect(!note.rang && note.media == .video)
            #expect(bob.state.isRinging)
            await ann.hangUp()
        }
    }

    /// Whoever dials waits a moment for the call; meanwhile it may have ended, and been forgotten.
    @Test func `a call that ends while it is adopted ends for whoever gets it`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let center = await pair.ann.center
            let id = try await center.dial(pair.contactBob.id, media: .audio)
            #expect(try #require(center.update(of: id)).endReason == nil)
            await center.hangUp(id)
            try await waitUntil("the call is forgotten") { await pair.ann.calls.isEmpty }
            let call = try #require(await pair.ann.adopt(id))
            #expect(try await call.endReason() == .cancelled)
            // What the account is told in turn may come after that.
            try await waitUntil("the call is forgotten again") { await pair.ann.calls.isEmpty }
        }
    }

    @Test func `who is in a call can make no other`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, _) = try await pair.ring()
            await #expect(throws: AccountError.call(.busy)) {
                _ = try await pair.ann.call(pair.contactBob, media: .video)
            }
            await ann.hangUp()
            _ = try await ann.endReason()
            let (again, _) = try await pair.ring()
            #expect(again.id != ann.id)
        }
    }

    @Test func `whoever accepts no calls is not called`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            await pair.ann.change(pair.contactBob.id) { $0.calls = FeaturePreference.no.rawValue }
            let bob = try await pair.ann.contact(named: "Bob")
            #expect(!bob.allowsCalls)
            await #expect(throws: AccountError.callsNotAllowed("Bob")) {
                _ = try await pair.ann.call(bob, media: .audio)
            }
            #expect(await pair.ann.calls.isEmpty)
        }
    }

    @Test func `nothing opens while it rings`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let (ann, bob) = try await Pair(neighbourhood).ring()
            try await ann.state("the relay has it") { $0.setup.ringing != nil }
            for call in [ann, bob] {
                #expect(!call.hasSession)
                #expect(call.localVideo == nil)
                #expect(call.state.setup.offer == nil)
                #expect(await call.summary().sent == CallSummary.Counts())
            }
        }
    }

    @Test func `a call that ended before anybody listened says so still`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let (ann, _) = try await Pair(neighbourhood).ring()
            await ann.hangUp()
            _ = try await ann.endReason()
            #expect(try await ann.endReason() == .cancelled)
        }
    }

    @Test func `a call waits for somebody who is away`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            await pair.bob.close()
            let call = try await pair.ann.call(pair.contactBob, media: .audio)
            try await call.state("the relay has it") { $0.setup.ringing != nil }
            let bob = try await neighbourhood.open("Bob")
            let incoming = try await bob.incoming(call.id)
            await incoming.decline()
            #expect(try await call.endReason() == .declinedByPeer)
        }
    }
}
