import BaseKit
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// What a real PipeWire's registry tells of its devices.
    @Suite(.needs(SoundServer.obstacle))
    struct PipeWireRegistryTests {
        @Test func `the camera that the desktop takes by itself is listed first`() async throws {
            try await SoundServer.use { server in
                let cameras = [
                    try await server.plugCamera("A-Camera", colour: 0xFF0000),
                    try await server.plugCamera("B-Camera", colour: 0x00FF00),
                ]
                for name in ["B-Camera", "A-Camera"] {
                    try await waitUntil("\(name) is first") {
                        // The session manager may go back to the other while it still finds out what cameras there are.
                        if try await !server.isStandard(camera: name) { try await server.setStandard(camera: name) }
                        return try await server.monitor.devices().cameras.first?.name == name
                    }
                }
                for camera in cameras { try await camera.unplug() }
            }
        }

        @Test func `devices that go as soon as they have come leave the list as it was`() async throws {
            try await SoundServer.use { server in
                let registry = try Self.registry(of: server)
                #expect(registry.wait())
                // One that stays: the server has a device of its own while there is no other.
                let first = try await server.plugSpeaker("First-Speaker")
                for _ in 0..<10 { try await server.plugForAMoment("Loose-Speaker") }
                let last = try await server.plugSpeaker("Last-Speaker")
                try await waitUntil("those that stayed are known, and no other") {
                    Set(registry.devices.map(\.record.name)) == ["First-Speaker", "Last-Speaker"]
                }
                try await last.unplug()
                try await waitUntil("the last one is gone") {
                    registry.devices.map(\.record.name) == ["First-Speaker"]
                }
                try await first.unplug()
                registry.close()
            }
        }

        @Test func `a connection that is closed tells nothing more and ends its thread`() async throws {
            try await SoundServer.use { server in
                let threads = try Self.threads()
                for _ in 0..<5 {
                    let news = Count()
                    let registry = try Self.registry(of: server) { news.add() }
                    #expect(registry.wait())
                    #expect(news.value > 0)
                    registry.close()
                    let told = news.value
                    let device = try await server.plugSpeaker("Desk-Speaker")
                    #expect(news.value == told)
                    try await device.unplug()
                }
                // What is listed under /proc for a moment longer has ended all the same.
                try await waitUntil("its threads have ended") { try Self.threads() <= threads }
            }
        }

        private static func registry(
            of server: SoundServer, onChange: @escaping @Sendable () -> Void = {}
        ) throws -> PipeWireRegistry {
            let descriptor = try #require(ServerSockets.connect(to: server.socket))
            let registry = PipeWireRegistry(adopting: descriptor, onChange: onChange, onLoss: {})
            return try #require(registry)
        }

        /// How many threads of this process belong to registries.
        private static func threads() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter { task in
                let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
                return name?.hasPrefix("parley-devices") == true
            }.count
        }
    }
}

private final class Count: Sendable {
    private let count = Atomic(0)

    func add() { count.add(1, ordering: .relaxed) }

    var value: Int { count.load(ordering: .relaxed) }
}
