import Signaling
import Testing

@testable import Calling

@Suite("Call centre", .timeLimit(.minutes(5)))
struct CallCenterTests {
    let pair = FakePair()
    var ada: FakePerson { pair.ada }
    var bo: FakePerson { pair.bo }

    @Test func `two persons in one process call, accept, talk and hang up`() async throws {
        let callID = try await pair.talk()
        for person in [ada, bo] {
            let update = try #require(await person.first(of: callID) { $0.setup.firstFrame != nil })
            #expect(update.stage == .acceptedByBothConnected)
            #expect(update.isFrameEncrypted == true)
            #expect(update.isFingerprintVerified)
            #expect(update.peerCamera)
            #expect(
                update.setup.steps.map(\.name) == [
                    "ringing", "accepted", "offer", "answer", "iceConnected", "dtlsConnected", "firstFrame",
                ])
            #expect(person.media.sessions.map(\.callID) == [callID])
        }
        #expect(ada.media.sessions.first?.plan.frameKey == bo.media.sessions.first?.plan.frameKey)
        #expect(ada.media.sessions.first?.plan.role == .answerer)
        #expect(bo.media.sessions.first?.plan.role == .offerer)

        pair.clock.advance(by: .seconds(5))
        await bo.center.hangUp(callID)
        #expect(await bo.end(of: callID)?.endReason == .hungUp)
        #expect(await ada.end(of: callID)?.endReason == .peerHungUp)
        for person in [ada, bo] {
            let entry = try #require(await person.log.next())
            #expect(entry.duration == .seconds(5))
            let session = try #require(person.media.sessions.first)
            await session.waitUntilClosed()
            #expect(session.timesClosed == 1)
        }
    }

    @Test func `while it rings nothing of media is opened on either side`() async throws {
        let callID = try await ada.center.dial(Samples.bo, media: .video)
        _ = await bo.first { $0.isRinging }
        await bo.center.receive(.extra(callID, [Samples.candidate(1)]), from: Samples.ada, brokerTime: 1_000_000)
        await bo.center.receive(.offer(callID, Samples.offer()), from: Samples.ada, brokerTime: 1_000_000)
        await bo.center.receive(.answer(callID, Samples.answer), from: Samples.ada, brokerTime: 1_000_000)
        await bo.center.decline(callID)
        #expect(await ada.end(of: callID)?.endReason == .declinedByPeer)
        #expect(ada.media.sessions.isEmpty)
        #expect(bo.media.sessions.isEmpty)
        #expect(await bo.center.rejections[.wrongRole] == 1)
        #expect(await bo.center.rejections[.outOfTurn] == 1)
    }

    @Test func `nobody answers for a minute: both sides end`() async throws {
        let callID = try await ada.center.dial(Samples.bo, media: .audio)
        _ = await bo.first { $0.isRinging }
        await pair.clock.waitForSleeper(.seconds(60))
        pair.clock.advance(by: .seconds(60))
        #expect(await ada.end(of: callID)?.endReason == .noAnswer)
        #expect(await bo.end(of: callID)?.endReason == .missed)
    }

    @Test func `hanging up while media is being opened ends at once, and closes what opens afterwards`() async throws {
        bo.media.hold()
        let callID = try await ada.center.dial(Samples.bo, media: .video)
        _ = await bo.first { $0.isRinging }
        try await bo.center.accept(callID, media: .video)
        await bo.media.waitForHeld()
        await bo.center.hangUp(callID)
        #expect(await bo.end(of: callID)?.endReason == .hungUp)
        #expect(await ada.end(of: callID)?.endReason == .declinedByPeer)
        #expect(bo.media.sessions.isEmpty)
        bo.media.release()
        await bo.center.shutDown()
        #expect(bo.media.sessions.map(\.timesClosed) == [1])
    }

    @Test func `media that cannot be opened ends the call on both sides`() async throws {
        bo.media.breakDown()
        let callID = try await ada.center.dial(Samples.bo, media: .video)
        _ = await bo.first { $0.isRinging }
        try await bo.center.accept(callID, media: .video)
        let end = await bo.end(of: callID)
        #expect(end?.endReason == .mediaFailed)
        #expect(end?.failure != nil)
        #expect(await ada.end(of: callID)?.endReason == .peerMediaFailed)
    }

    @Test func `an invitation that cannot be sent ends the call`() async throws {
        ada.signaling.breakDown()
        let callID = try await ada.center.dial(Samples.bo, media: .video)
        #expect(await ada.end(of: callID)?.endReason == .signalingFailed)
    }

    @Test func `a wrong certificate ends the call for security on the side that sees it`() async throws {
        let callID = try await pair.talk()
        ada.media.sessions.first?.tell(.fingerprintMismatch)
        #expect(await ada.end(of: callID)?.endReason == .fingerprintMismatch)
        #expect(await bo.end(of: callID)?.endReason == .peerHungUp)
    }

    @Test func `a lost connection that stays lost ends after ten seconds`() async throws {
        let callID = try await pair.talk()
        ada.media.sessions.first?.tell(.lost)
        _ = await ada.first(of: callID) { $0.phase == .reconnecting }
        await pair.clock.waitForSleeper(.seconds(10))
        pair.clock.advance(by: .seconds(10))
        #expect(await ada.end(of: callID)?.endReason == .connectionLost)
    }

    @Test func `who listens late hears the present state first; of an ended call the end and nothing more`()
        async throws
    {
        let callID = try await pair.talk()
        var listener = ada.center.updates.makeAsyncIterator()
        #expect(await listener.next()?.stage == .acceptedByBothConnected)
        await ada.center.hangUp(callID)
        #expect(await listener.next()?.endReason == .hungUp)
        var heard: [CallUpdate] = []
        for await update in ada.center.updates(of: callID) { heard.append(update) }
        #expect(heard.map(\.endReason) == [.hungUp])
    }

    @Test func `the phases a listener hears are in order and each differs from the one before`() async throws {
        let listener = ada.center.updates
        let callID = try await pair.talk()
        await ada.center.hangUp(callID)
        var stages: [CallStage] = []
        for await update in listener {
            if stages.last != update.stage { stages.append(update.stage) }
            if update.endReason != nil { break }
        }
        #expect(
            stages.filter { $0 != .dialledAwaitingRelay && $0 != .dialledRinging } == [
                .acceptedByBothPreparingAnswer, .acceptedByBothConnecting, .acceptedByBothConnected, .ended,
            ])
    }

    @Test func `a second call at a time is refused, and a call that is over is not accepted`() async throws {
        let callID = try await ada.center.dial(Samples.bo, media: .video)
        await #expect(throws: CallError.busy) { try await ada.center.dial(Samples.bo, media: .video) }
        await #expect(throws: CallError.noSuchCall) { try await ada.center.accept(callID, media: .video) }
        await ada.center.hangUp(callID)
        await #expect(throws: CallError.over(.cancelled)) { try await ada.center.accept(callID, media: .video) }
    }

    @Test func `who accepts after the caller's end is told why it is over`() async throws {
        let callID = try await ada.center.dial(Samples.bo, media: .audio)
        _ = await bo.first { $0.isRinging }
        await ada.center.hangUp(callID)
        #expect(await bo.end(of: callID)?.endReason == .missed)
        await #expect(throws: CallError.over(.missed)) { try await bo.center.accept(callID, media: .audio) }
        await #expect(throws: CallError.noSuchCall) { try await bo.center.accept(.random(), media: .audio) }
        #expect(bo.media.sessions.isEmpty)
    }

    @Test func `shutting down leaves a call that rings as it is`() async throws {
        let callID = try await ada.center.dial(Samples.bo, media: .audio)
        _ = await bo.first { $0.isRinging }
        await bo.center.shutDown()
        #expect(bo.signaling.sent.isEmpty)
        #expect(bo.keeping.last.map(\.callID) == [callID])
        await ada.center.hangUp(callID)
    }

    @Test func `what becomes of an invitation is known before any message leaves because of it`() async throws {
        bo.signaling.noting { [keeping = bo.keeping] in keeping.last.map(\.isAccepted) }
        let callID = try await pair.talk()
        #expect(bo.signaling.notes.first == [true])
        await bo.center.hangUp(callID)
        await bo.center.settle()
        #expect(bo.signaling.sent.last == .end(callID))
        #expect(bo.signaling.notes.last == [])
        #expect(ada.keeping.all.isEmpty)
    }

    @Test func `a call that another life of the process has kept rings when its mailbox was read`() async throws {
        let callID = try await ada.center.dial(Samples.bo, media: .audio)
        _ = await bo.first { $0.isRinging }
        // Its own: nobody else sleeps for a minute there.
        let clock = FakeClock()
        let next = FakePerson(Samples.bo, clock, FakeExchange())
        let updates = next.center.updates
        await next.center.restore(bo.keeping.last)
        #expect(next.center.update(of: callID) == nil)
        #expect(next.keeping.last == bo.keeping.last)
        await next.center.caughtUp(with: Samples.ada)
        #expect(await next.first(of: callID) { _ in true }?.isRinging == true)
        await clock.waitForSleeper(.seconds(60))
        clock.advance(by: .seconds(60))
        #expect(await next.end(of: callID)?.endReason == .missed)
        #expect(next.keeping.last.isEmpty)
        await next.center.shutDown()
        var ringing = 0
        for await update in updates where update.isRinging { ringing += 1 }
        #expect(ringing == 1)
    }

    @Test func `both dial at once: they meet in one call without ringing anywhere`() async throws {
        for person in [ada, bo] { person.signaling.hold() }
        let adasCall = try await ada.center.dial(Samples.bo, media: .video)
        let bosCall = try await bo.center.dial(Samples.ada, media: .video)
        for person in [ada, bo] { person.signaling.release() }
        let adas = await ada.first(of: adasCall) { $0.endReason != nil || $0.setup.firstFrame != nil }
        let bos = await bo.first(of: bosCall) { $0.endReason != nil || $0.setup.firstFrame != nil }
        #expect(adas?.stage == .acceptedByBothConnected)
        #expect(bos?.stage == .acceptedByBothConnected)
    }

    @Test func `shutting down tells the peer, closes media and finishes the streams`() async throws {
        let callID = try await pair.talk()
        let listener = ada.center.updates
        await ada.center.shutDown()
        #expect(ada.signaling.sent.last == .end(callID))
        #expect(ada.media.sessions.map(\.timesClosed) == [1])
        var reasons: [CallEndReason] = []
        for await update in listener { reasons += update.endReason.map { [$0] } ?? [] }
        #expect(reasons == [.hungUp])
        #expect(await bo.end(of: callID)?.endReason == .peerHungUp)
    }

    @Test func `candidates found later reach the other side's media`() async throws {
        let callID = try await pair.talk()
        bo.media.sessions.first?.tell(.candidates([Samples.candidate(42)]))
        // Its own end comes after them on the same way.
        bo.media.sessions.first?.tell(.failed(.sample))
        _ = await ada.end(of: callID)
        await ada.center.shutDown()
        #expect(bo.signaling.sent.contains(.extra(callID, [Samples.candidate(42)])))
        #expect(ada.media.sessions.count == 1)
    }
}
