import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct GoodbyeTests {
        @Test(arguments: [true, false])
        func `who hangs up is seen to leave on the media path alone`(isOfferer: Bool) async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            let (leaving, staying) =
                isOfferer ? (call.offerer, call.answererLog) : (call.answerer, call.offererLog)
            #expect(!staying.events.contains(.peerLeft))
            await leaving.close()
            await staying.wait(for: .peerLeft)
            // Long before the silence counts as a loss.
            #expect(staying.events.count { $0 == .peerLeft } == 1 && !staying.events.contains(.lost))
            await call.close()
        }

        @Test(arguments: [true, false])
        func `a channel that is closed in order is the end of the call`(isOfferer: Bool) async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            let (leaving, staying) =
                isOfferer ? (call.offerer, call.answererLog) : (call.answerer, call.offererLog)
            let bin = await leaving.bin
            // All that a browser says when it hangs up; no goodbye goes with it.
            await MediaQueue.run { bin.closeChannel() }
            await staying.wait(for: .peerLeft)
            #expect(!staying.events.contains(.lost))
            await call.close()
            try await eventually { staying.isOver }
            #expect(staying.events.count { $0 == .peerLeft } == 1)
        }

        @Test func `who hangs up as soon as the channel stands is seen to leave, without complaints`() async throws {
            let complaints = LibraryComplaints.counted
            for _ in 0..<5 {
                let call = try await Loopback()
                try await call.connect()
                for log in [call.offererLog, call.answererLog] { await log.wait(for: .fingerprintVerified) }
                await call.offerer.close()
                await call.answererLog.wait(for: .peerLeft)
                await call.close()
            }
            #expect(LibraryComplaints.counted == complaints)
        }

        @Test func `a transport that another one replaced, a screen and a camera that end are no goodbye`() async throws
        {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            let all = PeerMedia(microphone: true, camera: true, screen: true, screenSound: true)
            await call.offerer.startScreen(.test, sound: .test)
            await call.answererLog.wait(for: .peerMedia(all))
            await call.offerer.stopScreen()
            await call.offerer.setCameraEnabled(false)
            await call.offerer.setMicrophoneEnabled(false)
            let silent = PeerMedia(microphone: false, camera: false)
            await call.answererLog.wait { $0.last(where: \.isPeerMedia) == .peerMedia(silent) }
            try await call.renew(1)
            for session in [call.offerer, call.answerer] { try await eventually { await !session.isRetiring } }
            // A transport that is given up is none either.
            _ = try await call.offerer.renewOffer(2)
            await call.offerer.abandon(2)
            try await call.renew(3)
            for session in [call.offerer, call.answerer] { try await eventually { await !session.isRetiring } }
            for log in [call.offererLog, call.answererLog] { #expect(!log.events.contains(.peerLeft)) }
            // On the third transport it is one.
            await call.offerer.close()
            await call.answererLog.wait(for: .peerLeft)
            #expect(!call.answererLog.events.contains(.lost))
            await call.close()
        }

        @Test func `a goodbye of a peer whose certificate was not verified is not heeded`() async throws {
            let call = try await Loopback()
            await call.answerer.handle(.peerLeft, of: 0)
            await call.close()
            try await eventually { call.answererLog.isOver }
            #expect(!call.answererLog.events.contains(.peerLeft))
        }

        @Test func `goodbyes without the call's end leave the call as it is`() async throws {
            let wire = try await HostileWire()
            for reason in [nil, "", "End Of Stream", "call ended early"] {
                let goodbye = RTCPGoodbye(of: wire.sources + [1, 2, 3], reason: reason)
                wire.send(rtcp: goodbye.compound(canonicalName: "peer"))
            }
            let frames = await wire.victim.statistics().received.audioFrames
            try await eventually { await wire.victim.statistics().received.audioFrames > frames + 10 }
            #expect(!wire.call.answererLog.events.contains(.peerLeft))
            await wire.call.close()
        }
    }
}
