import FakePortal
import Foundation
import Glibc
import Media
import Portal
import TestSupport

/// A desktop for tests: a bus with a portal on it, PipeWire with its session manager, and, where wanted, its sound server.
final class ScreenDesktop: Sendable {
    /// Why it can't be had here; nil when it can.
    static let obstacle: String? = ["pipewire", "wireplumber", "pipewire-pulse", "pw-dump", "gst-launch-1.0"].first {
        !FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
    }.map { "\($0) is not installed." }

    static let screenCast = "org.freedesktop.portal.ScreenCast"

    let bus: PrivateBus
    let portal: FakePortal
    private let folder: TemporaryFolder
    private let servers: [ChildProcess]

    /// Starts it. With sound there is a loudspeaker that nobody hears.
    init(withSound: Bool = false) async throws {
        folder = try TemporaryFolder()
        bus = try await PrivateBus()
        portal = try await FakePortal(on: bus)
        var servers = [try Self.start("pipewire", [], folder, bus)]
        try await waitUntil("PipeWire") { [folder] in FileManager.default.fileExists(atPath: folder.file("pipewire-0"))
        }
        servers.append(try Self.start("wireplumber", [], folder, bus))
        if withSound {
            servers.append(try Self.start("pipewire-pulse", [], folder, bus))
            try await waitUntil("the sound server") { [folder] in
                FileManager.default.fileExists(atPath: folder.file("pulse/native"))
            }
        }
        self.servers = servers
        try await waitUntil("the session manager") { try await self.dump().contains("WirePlumber") }
        if withSound {
            let speaker = """
                { factory.name=support.null-audio-sink node.name=speakers media.class=Audio/Sink \
                object.linger=true audio.position=[FL FR] }
                """
            let made = try start("pw-cli", ["create-node", "adapter", speaker])
            _ = try await made.exitStatus()
            _ = try await node("speakers")
        }
        allow([:])
    }

    /// Where the sound server is.
    var soundServer: String { "unix:" + folder.file("pulse/native") }

    /// Starts a program of this desktop.
    func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
        try Self.start(program, arguments, folder, bus)
    }

    private static func start(
        _ program: String, _ arguments: [String], _ folder: TemporaryFolder, _ bus: PrivateBus
    ) throws -> ChildProcess {
        let surroundings = [
            "XDG_RUNTIME_DIR=\(folder.path)", "HOME=\(folder.path)", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)",
            "PIPEWIRE_RUNTIME_DIR=\(folder.path)", "PULSE_SERVER=unix:\(folder.path)/pulse/native",
        ]
        return try ChildProcess(
            "/usr/bin/env", ["-u", "DISPLAY"] + surroundings + ["/usr/bin/" + program] + arguments, folder: folder.path)
    }

    /// Puts a screen of one colour (0xRRGGBB) there, as a compositor does; it is there as long as what is given back.
    func addScreen(_ name: String, colour: UInt32, width: Int = 1_600, height: Int = 900) async throws -> VirtualPicture
    {
        try await VirtualPicture(
            name, of: .colour(colour), caps: "format=BGRx,width=\(width),height=\(height)", start: start)
    }

    /// The id of the node of that name, once it is there.
    func node(_ name: String) async throws -> UInt32 {
        var id: UInt32?
        try await waitUntil("the node \(name)") {
            id = try await nodes()[name]
            return id != nil
        }
        return id ?? 0
    }

    /// The ids of all nodes by their names.
    func nodes() async throws -> [String: UInt32] {
        struct Object: Decodable {
            struct Info: Decodable { var props: Properties? }
            struct Properties: Decodable {
                var name: String?
                enum CodingKeys: String, CodingKey { case name = "node.name" }
            }
            var id: UInt32
            var info: Info?
        }
        let objects = try JSONDecoder().decode([Object].self, from: Data(try await dump().utf8))
        return objects.reduce(into: [:]) { nodes, object in
            if let name = object.info?.props?.name { nodes[name] = object.id }
        }
    }

    private func dump() async throws -> String {
        let program = try start("pw-dump", [])
        _ = try await program.exitStatus()
        return program.lines.joined(separator: "\n")
    }

    /// A connection to PipeWire of one's own, as the portal hands out.
    func connect() -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            place.copyBytes(from: Array(folder.file("pipewire-0").utf8.prefix(place.count - 1)))
        }
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return descriptor
    }

    // MARK: The person's answers

    /// From now on the person lets be seen what `results` say.
    func allow(_ results: [String: BusValue]) {
        portal.set("version", of: Self.screenCast, to: .uint32(4))
        portal.set("AvailableSourceTypes", of: Self.screenCast, to: .uint32(7))
        portal.set("AvailableCursorModes", of: Self.screenCast, to: .uint32(3))
        portal.on(Self.screenCast, "CreateSession") { _ in .session }
        portal.on(Self.screenCast, "SelectSources") { _ in .response(0) }
        portal.on(Self.screenCast, "Start") { _ in .response(0, results) }
        portal.on(Self.screenCast, "OpenPipeWireRemote") { [weak self] _ in
            self?.handOut() ?? .error("org.freedesktop.DBus.Error.Failed", "gone")
        }
    }

    /// Answers with a connection to PipeWire.
    func handOut() -> FakePortal.Answer {
        let descriptor = connect()
        // The answer carries a copy.
        defer { DispatchQueue.global().asyncAfter(deadline: .now() + 5) { close(descriptor) } }
        return .values([.handle(0)], descriptors: [descriptor])
    }

    /// From now on the person chooses this node.
    func choose(_ node: UInt32) {
        allow([
            "streams": .array([.tuple([.uint32(node), .dictionary(["source_type": .uint32(1)])])], of: "(ua{sv})")
        ])
    }
}
