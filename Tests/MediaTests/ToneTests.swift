import BaseKit
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct ToneTests {
        private func call(key: Bool = true) async throws -> Loopback {
            try await Loopback(key: key ? .init([UInt8](repeating: 7, count: 32)) : nil) { offerer, answerer in
                offerer.offersTones = true
                answerer.offersTones = true
            }
        }

        private static func tones(_ log: EventLog) -> String {
            String(log.events.compactMap { if case .tone(let tone) = $0 { tone.key } else { nil } })
        }

        @Test(arguments: [true, false])
        func `tones arrive both ways, in order and once, sealed or in clear`(isSealed: Bool) async throws {
            let call = try await call(key: isSealed)
            try await call.connect()
            try await call.waitForPictures()
            try await call.offerer.send(ToneSequence(parsing: "12#"))
            try await eventually { Self.tones(call.answererLog).count >= 3 }
            try await call.answerer.send(ToneSequence(parsing: "*0D"))
            try await eventually { Self.tones(call.offererLog).count >= 3 }
            #expect(Self.tones(call.answererLog) == "12#" && Self.tones(call.offererLog) == "*0D")
            for session in [call.offerer, call.answerer] {
                // A tone is told when it begins, and counted when it has been sent.
                try await eventually {
                    let counts = await session.statistics()
                    return counts.sent.tones == 3 && counts.received.tones == 3
                }
                let statistics = await session.statistics()
                #expect(statistics.received.framesRejected == 0 && statistics.packetsRefused == 0)
                // The voice goes on.
                let before = statistics.received.audioFrames
                try await eventually { await session.statistics().received.audioFrames > before + 20 }
            }
            for log in [call.offererLog, call.answererLog] {
                #expect(!log.events.contains { if case .failed = $0 { true } else { false } })
            }
            await call.close()
        }

        @Test func `a muted microphone sends tones and stays muted`() async throws {
            let call = try await call()
            try await call.connect()
            try await call.waitForPictures()
            await call.offerer.setMicrophoneEnabled(false)
            await call.answererLog.wait {
                $0.last(where: \.isPeerMedia) == .peerMedia(PeerMedia(microphone: false, camera: true))
            }
            // What the encoders get from now on.
            let (pieces, loud) = (Shared(0), Shared(0))
            for encoder in await call.offerer.pipeline.element.all(factory: "opusenc") {
                encoder.pad("sink")?.onPackets { _, samples in
                    pieces.value += 1
                    if samples.contains(where: { $0 != 0 }) { loud.value += 1 }
                }
            }
            try await call.offerer.send(ToneSequence(parsing: "123"))
            try await eventually { Self.tones(call.answererLog).count >= 3 }
            #expect(Self.tones(call.answererLog) == "123")
            #expect(pieces.value > 20 && loud.value == 0)
            let sent = await call.offerer.statistics().sent.audioFrames
            await call.answererLog.wait {
                $0.last(where: \.isPeerMedia) == .peerMedia(PeerMedia(microphone: false, camera: true))
            }
            #expect(await call.offerer.statistics().sent.audioFrames <= sent + 2)
            await call.close()
        }

        @Test func `a peer that takes none is told of none, and sending is an error`() async throws {
            let call = try await Loopback { offerer, _ in offerer.offersTones = true }
            let offer = try await call.offerer.makeOffer()
            #expect(offer.sdp.contains("telephone-event/48000"))
            let answer = try await call.answerer.makeAnswer(to: offer.sdp, candidates: offer.candidates)
            #expect(!answer.sdp.contains("telephone-event"))
            await #expect(throws: ToneError.notConnected) { try await call.offerer.send(ToneSequence(parsing: "1")) }
            try await call.offerer.apply(answer: answer.sdp, candidates: answer.candidates)
            try await call.waitForPictures()
            await #expect(throws: ToneError.notSupported) { try await call.offerer.send(ToneSequence(parsing: "1")) }
            let other = try await Loopback()
            #expect(!(try await other.offerer.makeOffer().sdp.contains("telephone-event")))
            await other.close()
            await call.close()
        }

        @Test func `hold ends what is being sent, and the call goes on`() async throws {
            let call = try await call()
            try await call.connect()
            try await call.waitForPictures()
            // Without the hold the pauses alone last longer than it may take.
            let pauses = String(repeating: ",", count: 24)
            let sending = Task { try await call.offerer.send(ToneSequence(parsing: "1\(pauses)2")) }
            try await eventually { Self.tones(call.answererLog) == "1" }
            await call.offerer.setHeld(true)
            await #expect(throws: ToneError.interrupted) {
                try await limited("the end of the tones", to: .seconds(30)) { try await sending.value }
            }
            await #expect(throws: ToneError.onHold) { try await call.offerer.send(ToneSequence(parsing: "1")) }
            await call.offerer.setHeld(false)
            try await call.offerer.send(ToneSequence(parsing: "9"))
            try await eventually { Self.tones(call.answererLog).count >= 2 }
            #expect(Self.tones(call.answererLog) == "19")
            await call.close()
        }
    }
}
