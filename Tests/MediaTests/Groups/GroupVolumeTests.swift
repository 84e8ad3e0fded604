import MediaRules
import TestSupport
import Testing

@testable import Media

extension RealMedia {
    /// What is heard of the members of a group call at a real loudspeaker.
    @Suite(.needs(SoundServer.obstacle)) struct GroupVolumeTests {
        private static let (low, high) = (440.0, 1_320.0)

        /// How strong both are once neither changes any more: a way that has just begun is not yet as loud as it will be, and a busy machine
        /// leaves gaps.
        private static func steadyStrength(_ ear: RecordedTone) async throws -> (low: Double, high: Double) {
            var last = (low: 0.0, high: 0.0)
            try await eventually {
                try await Task.sleep(for: .milliseconds(500))
                let now = (low: ear.strength(of: low), high: ear.strength(of: high))
                defer { last = now }
                return [(now.low, last.low), (now.high, last.high)].allSatisfy { now, last in
                    now > 0.05 && abs(now - last) < last / 10
                }
            }
            return last
        }

        @Test
        func `one member is made quieter, and stays so when its way is renewed, and the other is as loud as before`()
            async throws
        {
            try await SoundServer.use { server in
                let devices = [
                    try await server.plugMicrophone("Low-Microphone", hearing: .tone(440)),
                    try await server.plugMicrophone("High-Microphone", hearing: .tone(1_320)),
                    try await server.plugSpeaker("Desk-Speaker"),
                ]
                let microphones = [UInt8(2): "low-microphone", 3: "high-microphone"]
                try await Mesh.run(3) { number, configuration in
                    configuration.soundProcessing = .off
                    if let id = microphones[number] {
                        configuration.microphone = .preferred(MediaDevice(id: id, name: ""))
                    } else {
                        configuration.microphone = .none
                        configuration.speaker = .preferred(MediaDevice(id: "desk-speaker", name: ""))
                    }
                } _: { mesh in
                    let ear = try RecordedTone(of: try await server.device(.speaker, "Desk-Speaker"))
                    try await mesh.connectAll()
                    let usual = try await Self.steadyStrength(ear)

                    try await mesh[1].setVolume(0.2, of: 2)
                    try await eventually { ear.strength(of: Self.low) < usual.low * 0.4 }
                    try await eventually { ear.strength(of: Self.high) > usual.high * 0.7 }
                    try await mesh.connect(1, 2, number: 1)
                    try await eventually { mesh.events(of: 1).contains(.member(2, .renewed(1))) }
                    let before = try await mesh.received(by: 1, from: 2).audioFrames
                    try await eventually { try await mesh.received(by: 1, from: 2).audioFrames > before + 50 }
                    try await eventually { ear.strength(of: Self.low) > usual.low * 0.1 }
                    #expect(ear.strength(of: Self.low) < usual.low * 0.4)

                    try await mesh[1].setVolume(0, of: 2)
                    try await eventually {
                        ear.strength(of: Self.low) < 0.001 && ear.strength(of: Self.high) > usual.high * 0.7
                    }
                    try await mesh[1].setVolume(1, of: 2)
                    try await eventually { ear.strength(of: Self.low) > usual.low * 0.7 }
                    ear.stop()
                }
                for device in devices { try await device.unplug() }
            }
        }
    }
}
