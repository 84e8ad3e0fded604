import CGStreamer
import GLibKit
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// What is done with a microphone's sound, heard at the other side, against a real PipeWire.
    @Suite(.needs(SoundServer.obstacle))
    struct SoundProcessingTests {
        /// By how much noise has to become quieter, in decibels, at least; 12 were measured.
        private static let noise = 6.0

        /// Likewise an echo; 23 to 30 were measured.
        private static let echo = 12.0

        @Test func `steady noise becomes quieter`() async throws {
            try await SoundServer.use { server in
                let microphone = try await server.plugMicrophone(
                    "Noisy-Microphone", hearing: .noise(volume: 0.1))
                let call = try await Loopback { offerer, answerer in
                    offerer.media = .audio
                    answerer.media = .audio
                    offerer.microphone = .preferred(MediaDevice(id: "noisy-microphone", name: ""))
                    offerer.soundProcessing = .off
                }
                try await call.connect()
                await call.answererLog.wait(for: .firstAudioFrame)
                let level = await SteadyLevel(call.answerer)
                let before = await level.steady()
                #expect(before > -50)
                await call.offerer.setSoundProcessing(.noiseOnly)
                try await soon { await level.next() < before - Self.noise }
                await call.offerer.setSoundProcessing(.off)
                try await soon { await level.next() > before - 3 }
                await call.close()
                try await microphone.unplug()
            }
        }

        @Test(arguments: [20, 150])
        func `what the loudspeaker plays is taken out of what the microphone hears, also later than said`(
            delay: Int
        ) async throws {
            try await SoundServer.use { server in
                let far = try await server.plugMicrophone(
                    "Far-Microphone", hearing: .noise(volume: 0.2))
                let room = try await server.plugSpeaker("Room-Speaker")
                let near = try await server.plugMicrophone("Room-Microphone", in: room, delay: delay)
                let call = try await Loopback { offerer, answerer in
                    offerer.media = .audio
                    answerer.media = .audio
                    answerer.microphone = .preferred(MediaDevice(id: "far-microphone", name: ""))
                    answerer.soundProcessing = .off
                    offerer.speaker = .preferred(MediaDevice(id: "room-speaker", name: ""))
                    offerer.microphone = .preferred(MediaDevice(id: "room-microphone", name: ""))
                    offerer.soundProcessing = .off
                }
                try await call.connect()
                await call.answererLog.wait(for: .firstAudioFrame)
                let level = await SteadyLevel(call.answerer)
                try await soon { await level.next() > -35 }
                let before = await level.steady()
                await call.offerer.setSoundProcessing(.echoOnly)
                try await soon { await level.next() < before - Self.echo }
                await call.close()
                for device in [near, far] { try await device.unplug() }
                try await room.unplug()
            }
        }

        @Test func `a quiet voice becomes louder`() async throws {
            try await SoundServer.use { server in
                let microphone = try await server.plugMicrophone(
                    "Quiet-Microphone", hearing: .tone(440, volume: 0.01))
                let call = try await Loopback { offerer, answerer in
                    offerer.media = .audio
                    answerer.media = .audio
                    offerer.microphone = .preferred(MediaDevice(id: "quiet-microphone", name: ""))
                    offerer.soundProcessing = .off
                }
                try await call.connect()
                await call.answererLog.wait(for: .firstAudioFrame)
                let level = await SteadyLevel(call.answerer)
                let before = await level.steady()
                await call.offerer.setSoundProcessing(.gainOnly)
                try await soon { await level.next() > before + 3 }
                await call.close()
                try await microphone.unplug()
            }
        }
    }
}

extension SoundProcessing {
    fileprivate static let echoOnly = SoundProcessing(
        echoCancellation: true, noiseSuppression: false, automaticGain: false)
    fileprivate static let noiseOnly = SoundProcessing(
        echoCancellation: false, noiseSuppression: true, automaticGain: false)
    fileprivate static let gainOnly = SoundProcessing(
        echoCancellation: false, noiseSuppression: false, automaticGain: true)
}

/// How loud what a session decodes is over half a second, in decibels below full scale.
private final class SteadyLevel: Sendable {
    private struct State: Sendable {
        var sum = 0.0
        var count = 0
        var waiters: [CheckedContinuation<Double, Never>] = []
    }

    /// Samples of both channels.
    private static let enough = 48_000
    private let state = Mutex(State())

    init(_ session: PeerSession) async {
        for pad in SoundMeter.outlets(of: await session.pipeline.element) {
            pad.onBuffer { [weak self] _, buffer in self?.hear(buffer) }
        }
    }

    /// The level of the next half second that begins from now on.
    func next() async -> Double {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if state.waiters.isEmpty { (state.sum, state.count) = (0, 0) }
                state.waiters.append(continuation)
            }
        }
    }

    /// The level once it does not change any more: sound that has just begun is not yet as loud as it will be, and a busy machine leaves gaps.
    func steady() async -> Double {
        var last = await next()
        while true {
            let level = await next()
            if abs(level - last) < 1 { return level }
            last = level
        }
    }

    private func hear(_ buffer: UnsafeMutablePointer<GstBuffer>) {
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
        let samples = UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).bindMemory(to: Int16.self)
        let (sum, count) = (samples.reduce(0.0) { $0 + Double($1) * Double($1) }, samples.count)
        gst_buffer_unmap(buffer, &map)
        let (waiters, level) = state.withLock { state -> ([CheckedContinuation<Double, Never>], Double) in
            state.sum += sum
            state.count += count
            guard state.count >= Self.enough else { return ([], 0) }
            let level = max(SoundLevel(sumOfSquares: state.sum, count: state.count).decibels, -100)
            defer { (state.sum, state.count, state.waiters) = (0, 0, []) }
            return (state.waiters, level)
        }
        for waiter in waiters { waiter.resume(returning: level) }
    }
}
