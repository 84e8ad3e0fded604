import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// Sound servers that come late, go, and come again.
    @Suite(.needs(SoundServer.obstacle))
    struct ServerRestartTests {
        @Test func `devices of a server that starts after us are listed, and again after it was restarted`()
            async throws
        {
            let server = try SoundServer(monitor: DeviceMonitor())
            try await server.run { server in
                var changes = try await server.monitor.changes().makeAsyncIterator()
                #expect(await changes.next() == MediaDevices())
                for _ in 0..<2 {
                    try await server.start()
                    let camera = try await server.plugCamera("Front-Camera", colour: 0xFF0000)
                    let speaker = try await server.plugSpeaker("Desk-Speaker")
                    while let devices = await changes.next(),
                        devices.cameras.isEmpty || devices.speakers.isEmpty
                    {}
                    try await server.stop()
                    while let devices = await changes.next(), devices != MediaDevices() {}
                    withExtendedLifetime((camera, speaker)) {}
                }
            }
        }

        @Test func `a call goes on with the same devices after the sound server was restarted`() async throws {
            try await SoundServer.use { server in
                let first = [
                    try await server.plugMicrophone("Desk-Microphone", hearing: .tone(440)),
                    try await server.plugSpeaker("Desk-Speaker"),
                    try await server.plugCamera("Front-Camera", colour: 0xFF0000),
                ]
                let call = try await Loopback { offerer, answerer in
                    offerer.camera = .preferred(MediaDevice(id: "front-camera", name: ""))
                    offerer.microphone = .preferred(MediaDevice(id: "desk-microphone", name: ""))
                    answerer.speaker = .preferred(MediaDevice(id: "desk-speaker", name: ""))
                }
                try await call.connect()
                try await heard(440, on: server)
                try await soon { call.answerer.remoteVideo.latest()?.isMostly(.red) == true }
                try await server.stop()
                await call.offererLog.wait { $0.contains { $0.unplugged == .microphone } }
                await call.answererLog.wait { $0.contains { $0.unplugged == .speaker } }
                try await server.start()
                let second = [
                    try await server.plugMicrophone("Desk-Microphone", hearing: .tone(1_000)),
                    try await server.plugSpeaker("Desk-Speaker"),
                    try await server.plugCamera("Front-Camera", colour: 0x00FF00),
                ]
                try await heard(1_000, on: server)
                try await soon { call.answerer.remoteVideo.latest()?.isMostly(.green) == true }
                await call.close()
                for device in second { try await device.unplug() }
                withExtendedLifetime(first) {}
            }
        }

        private func heard(_ tone: Double, on server: SoundServer) async throws {
            let ear = try RecordedTone(of: try await server.device(.speaker, "Desk-Speaker"))
            try await soon { ear.tone.isTone(tone) }
            ear.stop()
        }
    }
}

extension PeerSessionEvent {
    /// The kind of device that was unplugged, if that is what is told.
    var unplugged: DeviceKind? {
        if case .notice(.device(.unplugged(let kind, _, _))) = self { kind } else { nil }
    }

    /// Whether a device of this kind is said to have stopped by itself.
    func hasStopped(_ kind: DeviceKind) -> Bool {
        if case .notice(.stopped(kind, _)) = self { true } else { false }
    }

    /// Why a device could not be used, if that is what is told.
    var fault: DeviceFault? {
        guard case .notice(.failed(let cause)) = self, case .device(let fault)? = cause.error as? MediaError else {
            return nil
        }
        return fault
    }
}
