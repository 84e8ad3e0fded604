import Foundation
import Synchronization
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

        @Test func `a server that goes before it has answered keeps nobody waiting, and the next one is used`()
            async throws
        {
            let server = try SoundServer(monitor: DeviceMonitor())
            try await server.run { server in
                let path = try #require(ProcessInfo.processInfo.environment["PIPEWIRE_RUNTIME_DIR"]) + "/pipewire-0"
                let dying = try DyingServer(at: path)
                let devices = try await limited("the devices") { try await server.monitor.devices() }
                #expect(devices.cameras.isEmpty)
                #expect(dying.count > 0)
                dying.stop()
                try await server.start()
                let camera = try await server.plugCamera("Front-Camera", colour: 0xFF0000)
                try await camera.unplug()
                try await server.stop()
            }
        }

        @Test func `a server that answers nothing keeps nobody waiting for long`() async throws {
            let server = try SoundServer(monitor: DeviceMonitor())
            try await server.run { server in
                let path = try #require(ProcessInfo.processInfo.environment["PIPEWIRE_RUNTIME_DIR"]) + "/pipewire-0"
                let silent = try DyingServer(at: path, endsConnections: false)
                for _ in 0..<2 {
                    let devices = try await limited("the devices") { try await server.monitor.devices() }
                    #expect(devices.cameras.isEmpty)
                }
                #expect(silent.count == 1)
                silent.stop()
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

        @Test func `a call goes on where the sound server was restarted so soon that its devices stayed listed`()
            async throws
        {
            try await SoundServer.useUp { server in
                try await server.plugLastingDevices(microphone: "Lasting-Microphone", speaker: "Lasting-Speaker")
                let call = try await Loopback { offerer, answerer in
                    offerer.microphone = .preferred(MediaDevice(id: "lasting-microphone", name: ""))
                    answerer.speaker = .preferred(MediaDevice(id: "lasting-speaker", name: ""))
                }
                try await call.connect()
                let both = ["Stream/Input/Audio", "Stream/Output/Audio"]
                try await soon { try await server.streams().filter { $0.hasSuffix("/Audio") } == both }
                try await soon { await call.answerer.statistics().received.audioFrames > 75 }
                try await server.restartInterface()
                await call.offererLog.wait { $0.contains { $0.hasStopped(.microphone) } }
                await call.answererLog.wait { $0.contains { $0.hasStopped(.speaker) } }
                try await soon { try await server.streams().filter { $0.hasSuffix("/Audio") } == both }
                let heard = await call.answerer.statistics().received.audioFrames
                try await soon { await call.answerer.statistics().received.audioFrames > heard + 20 }
                await call.close()
                try await server.unplugLastingDevices("Lasting-Microphone", "Lasting-Speaker")
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

/// A sound server that takes connections, hears what is said first, and goes away, or says nothing.
private final class DyingServer: Sendable {
    private let descriptor: Int32
    private let path: String
    private let taken = Mutex<[Int32]>([])

    /// Listens at a path; the folder is made where it is missing.
    init(at path: String, endsConnections: Bool = true) throws {
        self.path = path
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes.prefix($0.count - 1)) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(descriptor, 8) == 0
            }
        }
        guard isBound else { throw Overdue("No socket to listen at: \(errno).") }
        Thread.detachNewThread { [self] in serve(endsConnections) }
    }

    /// How many connections were taken.
    var count: Int { taken.withLock { $0.count } }

    /// Nobody listens any more.
    func stop() {
        unlink(path)
        shutdown(descriptor, Int32(SHUT_RDWR))
        for connection in taken.withLock({ $0 }) { shutdown(connection, Int32(SHUT_RDWR)) }
    }

    private func serve(_ endsConnections: Bool) {
        while case let connection = accept(descriptor, nil, nil), connection >= 0 {
            taken.withLock { $0.append(connection) }
            var byte: UInt8 = 0
            recv(connection, &byte, 1, 0)
            if endsConnections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
        for connection in taken.withLock({ $0 }) { close(connection) }
        close(descriptor)
    }
}
