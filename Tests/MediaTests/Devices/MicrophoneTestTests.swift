import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// Listening to a microphone outside of calls, with virtual ones.
    @Suite(.needs(SoundServer.obstacle))
    struct MicrophoneTestTests {
        @Test func `a microphone is open only while it is tested, and follows the choice`() async throws {
            try await SoundServer.use { server in
                let dead = try await server.plugMicrophone("Dead-Microphone", hearing: nil)
                let live = try await server.plugMicrophone("Live-Microphone", hearing: .tone(440))
                let test = MicrophoneTest(.preferred(MediaDevice(id: "dead-microphone", name: "")))
                #expect(Capture.live == 0)
                var readings = test.readings.makeAsyncIterator()
                try await test.open()
                #expect(Capture.live == 1)
                while let reading = await readings.next(), reading != .level(0) {}
                await test.select(try await server.device(.microphone, "Live-Microphone"))
                while let reading = await readings.next(), !reading.isLoud {}
                await test.close()
                #expect(Capture.live == 0)
                while await readings.next() != nil {}
                for device in [dead, live] { try await device.unplug() }
            }
        }

        @Test func `without a microphone a sentence says so`() async throws {
            try await SoundServer.use { _ in
                let test = MicrophoneTest(.automatic)
                try await test.open()
                var readings = test.readings.makeAsyncIterator()
                while let reading = await readings.next(), reading != .notice(.device(.missing(.microphone))) {}
                await test.close()
                #expect(Capture.live == 0)
            }
        }
    }
}

extension MicrophoneTest.Reading {
    fileprivate var isLoud: Bool { if case .level(let level) = self { level > 0.5 } else { false } }
}
