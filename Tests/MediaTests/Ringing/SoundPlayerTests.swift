import BaseKit
import Foundation
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// The ring and the tones at the loudspeakers of a real PipeWire.
    @Suite(.needs(SoundServer.obstacle))
    struct SoundPlayerTests {
        private let folder: TemporaryFolder
        private let player = SoundPlayer()

        init() throws { folder = try TemporaryFolder() }

        /// What rings, at a loudspeaker of this id.
        private func ring(_ file: SoundFile = .file(OwnSound.path("ring")), at speaker: String = "desk-speaker")
            -> SoundRequest
        {
            SoundRequest(file, repetition: .seconds(60), device: MediaDevice(id: speaker, name: ""))
        }

        /// A file with a steady tone of 400 Hz, whose end fits its beginning.
        private func steadyTone() throws -> SoundFile {
            let path = folder.file("tone.wav")
            try WaveFile.write(path, samples: 24_000, frequency: 400)
            return .file(path)
        }

        /// Runs a test with one loudspeaker, and a recording of it.
        private func withSpeaker(_ body: (SoundServer, SoundRecording) async throws -> Void) async throws {
            try await SoundServer.use { server in
                let speaker = try await server.plugSpeaker("Desk-Speaker")
                let recording = try await SoundRecording(of: try await server.device(.speaker, "Desk-Speaker"))
                do {
                    try await body(server, recording)
                } catch {
                    player.stop()
                    recording.stop()
                    try await speaker.unplug()
                    throw error
                }
                player.stop()
                recording.stop()
                // The recording's own is left.
                try await eventually { Pipeline.live == 1 }
                try await speaker.unplug()
            }
        }

        @Test func `a ring that is stopped is not heard any more 0.2 seconds later`() async throws {
            try await withSpeaker { _, recording in
                for _ in 0..<3 {
                    player.play(ring())
                    try await recording.waitForSound()
                    player.stop()
                    let stop = recording.now
                    try await recording.wait(.seconds(1), after: stop)
                    let last = try #require(recording.samples.lastIndex { abs(Int($0)) > 10 })
                    let late = Duration.seconds(Double(last - stop) / 48_000)
                    #expect(late < .milliseconds(200), "\(late)")
                }
            }
        }

        @Test func `a sound goes on over its end without a gap`() async throws {
            try await withSpeaker { _, recording in
                player.play(ring(try steadyTone()))
                try await recording.waitForSound(above: 0.2)
                let begin = recording.count
                let (rounds, length, piece) = (6, 24_000, 240)
                try await recording.wait(.seconds(3), after: begin)
                player.stop()
                let heard = Array(recording.samples[begin..<begin + rounds * length])
                // A gap of ours comes at one place in every round. Where the machine is busy the sound server makes some, too, here and
                // there.
                let gaps = stride(from: 0, to: length, by: piece).filter { place in
                    (0..<rounds).allSatisfy { round in
                        let begin = round * length + place
                        return abs(SoundRecording.level(heard[begin..<begin + piece]) - 0.5 / 2.0.squareRoot())
                            > 0.02
                    }
                }
                #expect(gaps == [])
            }
        }

        @Test func `a sound that is not repeated ends by itself`() async throws {
            try await withSpeaker { _, recording in
                var request = ring(try steadyTone())
                request.repetition = nil
                player.play(request)
                try await recording.waitForSound(above: 0.2)
                try await eventually { Pipeline.live == 1 }
                let end = recording.now
                try await recording.wait(.seconds(1), after: end)
                let heard = recording.samples.count { abs(Int($0)) > 1_000 }
                // Half a second, without the samples near the zero crossings.
                #expect(heard > 22_000 && heard < 24_000, "\(heard)")
            }
        }

        @Test func `a repeated sound ends when its time is over`() async throws {
            try await withSpeaker { _, recording in
                var request = ring(try steadyTone())
                request.repetition = .milliseconds(1_200)
                player.play(request)
                try await recording.waitForSound(above: 0.2)
                try await eventually { Pipeline.live == 1 }
                try await recording.wait(.seconds(1), after: recording.now)
                // From the first to the last that is heard: a busy machine leaves gaps, at the loudspeaker and in the recording.
                let samples = recording.samples
                let loud = samples.indices.filter { abs(Int(samples[$0])) > 1_000 }
                let heard = (loud.last ?? 0) - (loud.first ?? 0)
                #expect(heard > 53_000 && heard < 72_000, "\(heard)")
            }
        }

        @Test func `what is stopped before its loudspeaker is open is never heard`() async throws {
            try await withSpeaker { _, recording in
                for _ in 0..<20 {
                    player.play(ring(try steadyTone()))
                    player.stop()
                }
                try await eventually { Pipeline.live == 1 }
                try await recording.wait(.seconds(1), after: recording.now)
                #expect(recording.samples.allSatisfy { $0 == 0 })
            }
        }

        @Test func `a second sound takes the place of the first`() async throws {
            try await withSpeaker { _, recording in
                player.play(ring(try steadyTone()))
                try await recording.waitForSound(above: 0.2)
                player.play(ring())
                try await eventually { Pipeline.live == 2 && recording.level < 0.2 }
                player.stop()
            }
        }

        @Test func `the volume is that of the request, and can be changed`() async throws {
            try await withSpeaker { _, recording in
                var request = ring(try steadyTone())
                request.volume = 0.5
                player.play(request)
                let full = 0.5 / 2.0.squareRoot()
                try await soon { recording.steadyLevel.map { abs($0 - full / 8) < 0.005 } == true }
                player.setVolume(1)
                try await soon { recording.steadyLevel.map { abs($0 - full) < 0.01 } == true }
                player.setVolume(0)
                try await soon { recording.level == 0 }
            }
        }

        @Test func `a file that can't be played is told, and the substitute is heard`() async throws {
            try await withSpeaker { _, recording in
                let missing = SoundFile.file(folder.file("missing.ogg"))
                var request = ring(missing)
                request.substitute = .file(OwnSound.path("ring"))
                player.play(request)
                try await recording.waitForSound()
                var notices = player.notices.makeAsyncIterator()
                let notice = await notices.next()
                #expect(notice?.unplayed == missing)
            }
        }

        @Test func `a ring goes over to the standard loudspeaker when its own one goes`() async throws {
            try await SoundServer.use { server in
                let desk = try await server.plugSpeaker("Desk-Speaker")
                let headset = try await server.plugSpeaker("Headset")
                player.play(ring(at: "headset"))
                let atDesk = try await SoundRecording(of: try await server.device(.speaker, "Desk-Speaker"))
                let atHeadset = try await SoundRecording(of: try await server.device(.speaker, "Headset"))
                try await atHeadset.waitForSound()
                #expect(atDesk.samples.allSatisfy { $0 == 0 })
                atHeadset.stop()
                try await headset.unplug()
                try await atDesk.waitForSound()
                player.stop()
                let stop = atDesk.now
                try await atDesk.wait(.seconds(1), after: stop)
                #expect(atDesk.samples[(stop + 9_600)...].allSatisfy { $0 == 0 })
                atDesk.stop()
                try await desk.unplug()
            }
        }

        @Test func `a ring whose loudspeaker is not there is heard at another one`() async throws {
            try await withSpeaker { _, recording in
                player.play(ring(at: "never-seen"))
                try await recording.waitForSound()
            }
        }

        @Test func `the sound server knows the stream by its own name, and by no role`() async throws {
            try await withSpeaker { server, recording in
                player.play(ring())
                try await recording.waitForSound()
                let streams = try await server.playback()
                #expect(streams.map { $0["application.id"] } == ["im.parley.Parley.Ring"])
                #expect(streams.allSatisfy { $0["media.role"] == nil })
            }
        }
    }
}

extension MediaNotice {
    /// The file that could not be played.
    fileprivate var unplayed: SoundFile? {
        guard case .failed(let cause) = self, case .soundFile(let file, _)? = cause.error as? MediaError else {
            return nil
        }
        return file
    }
}
