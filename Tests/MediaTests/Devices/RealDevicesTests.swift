import BaseKit
import CGStreamer
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// Against a real PipeWire with virtual cameras, microphones and loudspeakers.
    @Suite(.needs(SoundServer.obstacle))
    struct RealDevicesTests {
        /// A call whose first side speaks into a microphone, as it is, and whose second side is heard at a loudspeaker.
        private func call(from microphone: String, to speaker: String) async throws -> Loopback {
            let call = try await Loopback { offerer, answerer in
                offerer.microphone = .preferred(MediaDevice(id: microphone, name: ""))
                offerer.soundProcessing = .off
                answerer.speaker = .preferred(MediaDevice(id: speaker, name: ""))
            }
            try await call.connect()
            return call
        }

        @Test func `each device is listed once, with its name, and loudspeakers are no microphones`() async throws {
            try await SoundServer.use { server in
                let plugged = [
                    try await server.plugCamera("Front-Camera", colour: 0xFF0000),
                    try await server.plugMicrophone("Desk-Microphone", hearing: nil),
                    try await server.plugSpeaker("Desk-Speaker"),
                ]
                let devices = try await DeviceMonitor.shared.devices()
                #expect(devices.cameras == [MediaDevice(id: "front-camera", name: "Front-Camera")])
                #expect(devices.microphones == [MediaDevice(id: "desk-microphone", name: "Desk-Microphone")])
                #expect(Set(devices.speakers.map(\.id)) == ["desk-speaker", "wire-desk-microphone"])
                for device in plugged { try await device.unplug() }
            }
        }

        @Test func `devices that come and go are told`() async throws {
            try await SoundServer.use { server in
                var changes = try await DeviceMonitor.shared.changes().makeAsyncIterator()
                let speaker = try await server.plugSpeaker("Travel-Speaker")
                let camera = try await server.plugCamera("Travel-Camera", colour: 0x00FF00)
                while let devices = await changes.next(), !devices.all.contains("Travel-Camera") {}
                try await camera.unplug()
                while let devices = await changes.next(), devices.all.contains("Travel-Camera") {}
                try await speaker.unplug()
                while let devices = await changes.next(), devices.all.contains("Travel-Speaker") {}
                #expect(Capture.live == 0)
            }
        }

        @Test func `flip goes round the cameras, and an unplugged one is replaced without ending the call`()
            async throws
        {
            try await SoundServer.use { server in
                let red = try await server.plugCamera("Red-Camera", colour: 0xFF0000)
                let green = try await server.plugCamera("Green-Camera", colour: 0x00FF00)
                let chosen = try await server.device(.camera, "Red-Camera")
                let call = try await Loopback { offerer, _ in offerer.camera = .preferred(chosen) }
                try await call.connect()
                try await soon { call.answerer.remoteVideo.latest()?.isMostly(.red) == true }
                #expect(await call.offerer.devicesInUse.camera == chosen)
                await call.offerer.flipCamera()
                try await soon { call.answerer.remoteVideo.latest()?.isMostly(.green) == true }
                await call.offerer.flipCamera()
                try await soon { call.answerer.remoteVideo.latest()?.isMostly(.red) == true }
                // The next camera is opened before the last is closed: the pause is one of ordinary frames.
                let pauses = await call.offerer.cameraInlet.longestPauses
                #expect(pauses.switching <= max(.milliseconds(600), pauses.ordinary * 3))
                try await red.unplug()
                try await soon { call.answerer.remoteVideo.latest()?.isMostly(.green) == true }
                await call.offererLog.wait {
                    $0.contains(.notice(.device(.unplugged(.camera, "Red-Camera", instead: "Green-Camera"))))
                }
                let again = try await server.plugCamera("Red-Camera", colour: 0xFF0000)
                try await soon { call.answerer.remoteVideo.latest()?.isMostly(.red) == true }
                await call.close()
                for device in [again, green] { try await device.unplug() }
            }
        }

        @Test func `a camera that gives no picture is not changed to, and a sentence says so`() async throws {
            try await SoundServer.use { server in
                let red = try await server.plugCamera("Red-Camera", colour: 0xFF0000)
                let dead = try await server.plugCamera("Dead-Camera", colour: 0x00FF00)
                dead.freeze()
                let chosen = try await server.device(.camera, "Red-Camera")
                let call = try await Loopback { offerer, _ in offerer.camera = .preferred(chosen) }
                try await call.connect()
                try await soon { call.answerer.remoteVideo.latest()?.isMostly(.red) == true }
                await call.offerer.select(try await server.device(.camera, "Dead-Camera"), as: .camera)
                await call.offererLog.wait(for: .notice(.device(.stillUsed(.camera, "Red-Camera"))))
                #expect(
                    call.offererLog.events.contains { event in
                        event.fault.map { if case .notOpened(.camera, "Dead-Camera", _) = $0 { true } else { false } }
                            == true
                    })
                try await soon { await call.offerer.devicesInUse.camera == chosen }
                let seen = await call.answerer.statistics().received.videoFrames
                try await soon { await call.answerer.statistics().received.videoFrames > seen + 5 }
                #expect(call.answerer.remoteVideo.latest()?.isMostly(.red) == true)
                await call.close()
                for device in [red, dead] { try await device.unplug() }
            }
        }

        @Test func `microphone and speaker are changed in a call`() async throws {
            try await SoundServer.use { server in
                let low = try await server.plugMicrophone("Low-Microphone", hearing: .tone(440))
                let high = try await server.plugMicrophone("High-Microphone", hearing: .tone(1_000))
                let first = try await server.plugSpeaker("First-Speaker")
                let second = try await server.plugSpeaker("Second-Speaker")
                let call = try await call(from: "low-microphone", to: "first-speaker")
                let atFirst = try RecordedTone(of: try await server.device(.speaker, "First-Speaker"))
                let atSecond = try RecordedTone(of: try await server.device(.speaker, "Second-Speaker"))
                try await soon { atFirst.tone.isTone(440) }
                #expect(atSecond.tone.level < 0.001)

                await call.offerer.select(try await server.device(.microphone, "High-Microphone"), as: .microphone)
                try await soon { atFirst.tone.isTone(1_000) }
                let pauses = await call.offerer.microphoneInlet.longestPauses
                #expect(pauses.switching <= max(.milliseconds(600), pauses.ordinary * 3))

                await call.answerer.select(try await server.device(.speaker, "Second-Speaker"), as: .speaker)
                try await soon { atSecond.tone.isTone(1_000) && atFirst.tone.level < 0.001 }

                try await high.unplug()
                await call.offererLog.wait {
                    $0.contains {
                        if case .notice(.device(.unplugged(.microphone, "High-Microphone", _))) = $0 {
                            true
                        } else {
                            false
                        }
                    }
                }
                await call.offerer.select(try await server.device(.microphone, "Low-Microphone"), as: .microphone)
                try await soon { atSecond.tone.isTone(440) }
                try await second.unplug()
                await call.answerer.select(try await server.device(.speaker, "First-Speaker"), as: .speaker)
                try await soon { atFirst.tone.isTone(440) }
                atFirst.stop()
                atSecond.stop()
                await call.close()
                for device in [low, first] { try await device.unplug() }
            }
        }

        @Test func `a call is made quieter and silent on either side, also on another loudspeaker`() async throws {
            try await SoundServer.use { server in
                let voice = try await server.plugMicrophone("Low-Microphone", hearing: .tone(440))
                let first = try await server.plugSpeaker("First-Speaker")
                let second = try await server.plugSpeaker("Second-Speaker")
                let call = try await call(from: "low-microphone", to: "first-speaker")
                let atFirst = try RecordedTone(of: try await server.device(.speaker, "First-Speaker"))
                let atSecond = try RecordedTone(of: try await server.device(.speaker, "Second-Speaker"))
                try await soon { atFirst.tone.isTone(440) }
                let usual = atFirst.tone.level

                await call.answerer.setVolumes(SoundVolumes(speaker: 0.3))
                try await soon { atFirst.tone.isTone(440) && atFirst.tone.level < usual * 0.5 }
                await call.answerer.select(try await server.device(.speaker, "Second-Speaker"), as: .speaker)
                try await soon { atSecond.tone.isTone(440) && atSecond.tone.level < usual * 0.5 }
                await call.answerer.setVolumes(SoundVolumes(isSpeakerOn: false))
                try await soon { atSecond.tone.level < 0.0001 }
                await call.answerer.setVolumes(SoundVolumes())
                try await soon { atSecond.tone.level > usual * 0.7 }

                await call.offerer.setVolumes(SoundVolumes(microphone: 0.3))
                try await soon { atSecond.tone.isTone(440) && atSecond.tone.level < usual * 0.5 }
                atFirst.stop()
                atSecond.stop()
                await call.close()
                for device in [voice, first, second] { try await device.unplug() }
            }
        }

        @Test func `a loudspeaker that stopped by itself plays again, and says so once`() async throws {
            try await SoundServer.use { server in
                let voice = try await server.plugMicrophone("Low-Microphone", hearing: .tone(440))
                let speaker = try await server.plugSpeaker("Desk-Speaker")
                let call = try await call(from: "low-microphone", to: "desk-speaker")
                let device = try await server.device(.speaker, "Desk-Speaker")
                let ear = try RecordedTone(of: device)
                try await soon { ear.tone.isTone(440) }
                // One that stops within a second of its opening does not work.
                try await soon { await call.answerer.statistics().received.audioFrames > 75 }
                try await server.endPlayback()
                await call.answererLog.wait { $0.contains { $0.hasStopped(.speaker) } }
                await call.answererLog.wait(for: .notice(.device(.stillUsed(.speaker, "Desk-Speaker"))))
                try await soon { ear.tone.isTone(440) }
                #expect(call.answererLog.events.filter { $0.hasStopped(.speaker) }.count == 1)
                ear.stop()
                await call.close()
                for device in [voice, speaker] { try await device.unplug() }
            }
        }

        @Test func `a microphone that stopped by itself is heard again, and says so once`() async throws {
            try await SoundServer.use { server in
                let voice = try await server.plugMicrophone("Low-Microphone", hearing: .tone(440))
                let speaker = try await server.plugSpeaker("Desk-Speaker")
                let call = try await call(from: "low-microphone", to: "desk-speaker")
                let ear = try RecordedTone(of: try await server.device(.speaker, "Desk-Speaker"))
                try await soon { ear.tone.isTone(440) }
                ear.stop()
                // One that stops within a second of its opening does not work.
                try await soon { await call.answerer.statistics().received.audioFrames > 75 }
                try await server.endRecording()
                await call.offererLog.wait { $0.contains { $0.hasStopped(.microphone) } }
                await call.offererLog.wait(for: .notice(.device(.stillUsed(.microphone, "Low-Microphone"))))
                let again = try RecordedTone(of: try await server.device(.speaker, "Desk-Speaker"))
                try await soon { again.tone.isTone(440) }
                #expect(call.offererLog.events.filter { $0.hasStopped(.microphone) }.count == 1)
                again.stop()
                await call.close()
                for device in [voice, speaker] { try await device.unplug() }
            }
        }

        @Test func `a microphone that can't be opened is replaced by the next, and so is a loudspeaker`() async throws {
            try await SoundServer.use { server in
                let voice = try await server.plugMicrophone("Low-Microphone", hearing: .tone(440))
                let speaker = try await server.plugSpeaker("Desk-Speaker")
                let notices = Mutex<[MediaNotice]>([])
                let onNotice: @Sendable (MediaNotice) -> Void = { notice in notices.withLock { $0.append(notice) } }
                let microphone = CaptureController(
                    kind: .audio, inlet: FrameInlet(), preview: nil,
                    selection: DeviceSelection(.microphone, wanted: nil), onNotice: onNotice
                ) { Self.list(.microphone, "low-microphone").map(Capture.Source.device) }
                await microphone.setEnabled(true)
                #expect(await microphone.isOpen)
                await microphone.close()
                let timeline = try Pipeline { _ in }
                defer { timeline.close() }
                timeline.element.setState(GST_STATE_PLAYING)
                let call = SpeakerController.Call(timeline: Shared(timeline), playout: Shared(nil), echo: nil)
                let player = SpeakerController(
                    call, selection: DeviceSelection(.speaker, wanted: nil), wait: PlayoutWait(pictures: 150),
                    onNotice: onNotice, onUse: { _ in }
                ) { Self.list(.speaker, "desk-speaker") }
                await player.follow()
                #expect(notices.withLock { $0 }.contains(.device(.replaced(.speaker, "Broken", by: "Real"))))
                #expect(notices.withLock { $0 }.contains(.device(.replaced(.microphone, "Broken", by: "Real"))))
                #expect(await player.isOpen)
                await player.close()
                for device in [voice, speaker] { try await device.unplug() }
            }
        }

        @Test func `a loudspeaker that sound reaches too late is opened anew with a larger buffer, and plays on`()
            async throws
        {
            try await SoundServer.use { server in
                let voice = try await server.plugMicrophone("Low-Microphone", hearing: .tone(440))
                let speaker = try await server.plugSpeaker("Desk-Speaker")
                let call = try await call(from: "low-microphone", to: "desk-speaker")
                let heard = try RecordedTone(of: try await server.device(.speaker, "Desk-Speaker"))
                try await soon { heard.tone.isTone(440) }
                let player = await call.answerer.devices.speaker
                let before = try #require(await call.answerer.outlets.speaker.value?.own)
                let wasSmall = await player.bufferSize == SpeakerBuffer.sizes[0]
                // As the loudspeaker's pipeline says it of a machine that is too busy, which this one may already have been.
                try await waitUntil("it has a larger one") {
                    await player.came(ahead: 0, to: player.openings)
                    return await player.bufferSize == SpeakerBuffer.sizes[1]
                }
                try await waitUntil("it is opened anew") { await player.openings == 2 }
                // What a piece of sound needs to the ear is more by as much.
                if wasSmall {
                    try await waitUntil("it has what it was opened with") {
                        (await call.answerer.outlets.speaker.value?.own ?? 0) >= before + 20
                    }
                }
                let again = try RecordedTone(of: try await server.device(.speaker, "Desk-Speaker"))
                try await soon { again.tone.isTone(440) }
                #expect(!call.answererLog.events.contains { $0.hasStopped(.speaker) })
                await call.close()
                for device in [voice, speaker] { try await device.unplug() }
            }
        }

        /// A device of a server that doesn't answer, and one that there is. PulseAudio's interface has the standard device in place of one
        /// that it doesn't know.
        private static func list(_ kind: DeviceKind, _ name: String) -> [FoundDevice] {
            let gone = DeviceRecord(kind: kind, provider: .pipeWire, name: "Broken")
            var there = DeviceRecord(kind: kind, provider: .pulse, name: "Real")
            there.internalName = name
            return [
                FoundDevice(
                    MediaDevice(id: "broken", name: gone.name),
                    ListedDevice(PipeWireNodes.Node(record: gone, serial: "1"), socket: "/nowhere")),
                FoundDevice(MediaDevice(id: name, name: there.name), ListedDevice(there)),
            ]
        }

        @Test func `a camera is turned on in a call that began with sound`() async throws {
            try await SoundServer.use { server in
                let camera = try await server.plugCamera("Red-Camera", colour: 0xFF0000)
                let call = try await Loopback { offerer, answerer in
                    offerer.media = .audio
                    offerer.camera = .automatic
                    answerer.media = .audio
                }
                try await call.connect()
                await call.answererLog.wait(for: .firstAudioFrame)
                await call.offerer.setCameraEnabled(true)
                try await soon { call.answerer.remoteVideo.latest()?.isMostly(.red) == true }
                await call.close()
                try await camera.unplug()
            }
        }

        @Test func `a microphone without any sound is told, and no longer once there is some`() async throws {
            try await SoundServer.use { server in
                let dead = try await server.plugMicrophone("Dead-Microphone", hearing: nil)
                let live = try await server.plugMicrophone("Live-Microphone", hearing: .tone(440))
                let call = try await Loopback { offerer, _ in
                    offerer.microphone = .preferred(MediaDevice(id: "dead-microphone", name: ""))
                }
                await call.offererLog.wait(for: .microphoneSilent(true))
                var levels = call.offerer.microphoneLevels().makeAsyncIterator()
                #expect(await levels.next() == 0)
                await call.offerer.select(try await server.device(.microphone, "Live-Microphone"), as: .microphone)
                await call.offererLog.wait(for: .microphoneSilent(false))
                while let level = await levels.next(), level < 0.5 {}
                await call.close()
                for device in [dead, live] { try await device.unplug() }
            }
        }

        @Test func `a microphone that the system mutes is told at once, and can be unmuted`() async throws {
            try await SoundServer.use { server in
                let microphone = try await server.plugMicrophone("Desk-Microphone", hearing: .tone(440))
                let call = try await Loopback { offerer, _ in
                    offerer.microphone = .preferred(MediaDevice(id: "desk-microphone", name: ""))
                }
                var levels = call.offerer.microphoneLevels().makeAsyncIterator()
                while let level = await levels.next(), level < 0.5 {}
                #expect(!call.offererLog.events.contains(.microphoneMutedBySystem(true)))
                let start = Instant.now
                try await server.setMuted(true, microphone: "Desk-Microphone")
                await call.offererLog.wait(for: .microphoneMutedBySystem(true))
                // Generous on purpose; silence by itself is told after 15 s.
                #expect(Instant.now - start < .seconds(5))
                while let level = await levels.next(), level > 0 {}
                await call.offerer.unmuteMicrophoneBySystem()
                await call.offererLog.wait(for: .microphoneMutedBySystem(false))
                #expect(try await !server.isMuted(microphone: "Desk-Microphone"))
                while let level = await levels.next(), level < 0.5 {}
                await call.close()
                try await microphone.unplug()
            }
        }

        @Test func `another microphone than a muted one is not muted, and a muted one is so from the beginning`()
            async throws
        {
            try await SoundServer.use { server in
                let muted = try await server.plugMicrophone("Muted-Microphone", hearing: .tone(440))
                let open = try await server.plugMicrophone("Open-Microphone", hearing: .tone(440))
                try await server.setMuted(true, microphone: "Muted-Microphone")
                let call = try await Loopback { offerer, _ in
                    offerer.microphone = .preferred(MediaDevice(id: "muted-microphone", name: ""))
                }
                await call.offererLog.wait(for: .microphoneMutedBySystem(true))
                await call.offerer.select(try await server.device(.microphone, "Open-Microphone"), as: .microphone)
                await call.offererLog.wait(for: .microphoneMutedBySystem(false))
                // What becomes of the one that is not used any more is nobody's business.
                try await server.setMuted(false, microphone: "Muted-Microphone")
                try await server.setMuted(true, microphone: "Muted-Microphone")
                try await server.setMuted(true, microphone: "Open-Microphone")
                await call.offererLog.wait { $0.filter { $0 == .microphoneMutedBySystem(true) }.count == 2 }
                await call.close()
                for device in [muted, open] { try await device.unplug() }
            }
        }
    }
}

extension VideoFrame {
    enum Channel { case red, green, blue }

    /// Whether the picture is mostly of one colour.
    func isMostly(_ channel: Channel) -> Bool {
        let colour = meanColour
        let (red, green, blue) = (colour.red > 120, colour.green > 100, colour.blue > 120)
        switch channel {
        case .red: return red && !green && !blue
        case .green: return green && !red && !blue
        case .blue: return blue && !red && !green
        }
    }
}

/// Waits until a condition holds. Throws after a time that is generous on purpose.
func soon(line: Int = #line, _ condition: () async throws -> Bool) async throws {
    try await waitUntil("line \(line)", within: .seconds(60), condition)
}
