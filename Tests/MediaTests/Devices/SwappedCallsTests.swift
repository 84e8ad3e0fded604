import BaseKit
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// Two calls of one person, of which one is held, with the same real camera, microphone and speaker.
    @Suite(.needs(SoundServer.obstacle))
    struct SwappedCallsTests {
        @Test func `two calls that swap ten times have the devices in turns`() async throws {
            try await SoundServer.use { server in
                let camera = try await server.plugCamera("Red-Camera", colour: 0xFF0000)
                let microphone = try await server.plugMicrophone("Desk-Microphone", hearing: .tone(1_000))
                let speaker = try await server.plugSpeaker("Desk-Speaker")
                let calls = [try await call(server), try await call(server)]
                // At first both are open, as two calls may be for a moment.
                for call in calls {
                    try await soon { await call.offerer.devices.open == Set(DeviceKind.allCases) }
                    try await soon { call.answerer.remoteVideo.latest()?.isMostly(.red) == true }
                }
                await calls[0].offerer.setHeld(true)
                for turn in 1...10 {
                    let (held, active) = (calls[turn % 2], calls[(turn + 1) % 2])
                    // In no order: the two media don't know each other.
                    await withTaskGroup(of: Void.self) { group in
                        group.addTask { await active.offerer.setHeld(false) }
                        group.addTask { await held.offerer.setHeld(true) }
                    }
                    #expect(await held.offerer.devices.open.isEmpty)
                    let frames = await held.offerer.statistics().sent
                    try await soon { await active.offerer.devices.open == Set(DeviceKind.allCases) }
                    try await soon {
                        try await server.streams()
                            == ["Stream/Input/Audio", "Stream/Input/Video", "Stream/Output/Audio"]
                    }
                    #expect(try await server.recordingRole() == "Communication")
                    let before = await active.answerer.statistics().received
                    try await soon {
                        let received = await active.answerer.statistics().received
                        return received.videoFrames > before.videoFrames + 5
                            && received.audioFrames > before.audioFrames + 10
                    }
                    try await soon { active.answerer.remoteVideo.latest()?.isMostly(.red) == true }
                    try await soon { active.offerer.remoteVideo.latest()?.isTestPicture == true }
                    #expect(held.offerer.remoteVideo.latest() == nil)
                    let later = await held.offerer.statistics().sent
                    #expect(later.videoFrames <= frames.videoFrames + 2)
                    #expect(later.audioFrames <= frames.audioFrames + 2)
                }
                for call in calls {
                    for log in [call.offererLog, call.answererLog] {
                        #expect(!log.events.contains(.lost))
                        #expect(!log.events.contains { if case .failed = $0 { true } else { false } })
                    }
                    #expect(!call.offererLog.events.contains { if case .notice = $0 { true } else { false } })
                    await call.close()
                }
                try await soon { try await server.streams().isEmpty }
                for device in [camera, microphone, speaker] { try await device.unplug() }
            }
        }

        /// A call whose first side is the person's, with all that is done with its sound.
        private func call(_ server: SoundServer) async throws -> Loopback {
            let camera = try await server.device(.camera, "Red-Camera")
            let microphone = try await server.device(.microphone, "Desk-Microphone")
            let speaker = try await server.device(.speaker, "Desk-Speaker")
            let call = try await Loopback { offerer, _ in
                offerer.camera = .preferred(camera)
                offerer.microphone = .preferred(microphone)
                offerer.speaker = .preferred(speaker)
            }
            try await call.connect()
            try await call.waitForPictures()
            return call
        }
    }
}
