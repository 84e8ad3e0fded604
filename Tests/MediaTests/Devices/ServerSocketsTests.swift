import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(5))) struct ServerSocketsTests {
    private static func sockets(_ environment: [String: String]) -> ServerSockets {
        ServerSockets(environment: environment)
    }

    @Test func `sockets are in the person's folder, or in the machine's`() {
        let usual = Self.sockets(["XDG_RUNTIME_DIR": "/run/user/7"])
        #expect(usual.pipeWire == ["/run/user/7/pipewire-0", "/run/pipewire/pipewire-0"])
        #expect(usual.pulse == "/run/user/7/pulse/native")
        let none = Self.sockets([:])
        #expect(none.pipeWire == ["/run/pipewire/pipewire-0"])
        #expect(none.pulse == nil)
    }

    @Test func `what the environment says of PipeWire goes first`() {
        let own = ["XDG_RUNTIME_DIR": "/run/user/7", "PIPEWIRE_RUNTIME_DIR": "/tmp/p", "PIPEWIRE_REMOTE": "second"]
        #expect(Self.sockets(own).pipeWire == ["/tmp/p/second", "/run/pipewire/second"])
        #expect(Self.sockets(["PIPEWIRE_REMOTE": "/tmp/socket"]).pipeWire == ["/tmp/socket"])
        #expect(Self.sockets(["PIPEWIRE_REMOTE": "", "XDG_RUNTIME_DIR": "/r"]).pipeWire.first == "/r/pipewire-0")
    }

    @Test(
        arguments: [
            ("unix:/tmp/native", "/tmp/native"), ("{0abc}unix:/tmp/native tcp:host", "/tmp/native"),
            ("/tmp/native", "/tmp/native"), ("tcp:host:4713", nil), ("host", nil), ("{0abc", nil), (" ", nil),
        ] as [(String, String?)])
    func `what the environment says of PulseAudio goes first`(server: String, path: String?) {
        #expect(Self.sockets(["PULSE_SERVER": server, "XDG_RUNTIME_DIR": "/r"]).pulse == path)
    }

    @Test func `PulseAudio's folder may be another one`() {
        #expect(Self.sockets(["PULSE_RUNTIME_PATH": "/p", "XDG_RUNTIME_DIR": "/r"]).pulse == "/p/native")
    }

    @Test func `nobody listens at a file that is none, or too long a path`() {
        #expect(ServerSockets.connect(to: "/nonexistent/socket") == nil)
        #expect(ServerSockets.connect(to: "/" + String(repeating: "x", count: 200)) == nil)
    }

    @Test func `a socket's appearance is told, also in a folder that is yet to be made`() async throws {
        let folder = try TemporaryFolder()
        let (appearances, told) = AsyncStream<Void>.makeStream()
        let queue = DispatchQueue(label: "test")
        let watch = try #require(SocketWatch(queue: queue) { told.yield() })
        let paths = [folder.file("pipewire-0"), folder.file("pulse/native")]
        queue.sync { watch.watch(paths) }
        var next = appearances.makeAsyncIterator()
        #expect(FileManager.default.createFile(atPath: folder.file("something else"), contents: nil))
        #expect(FileManager.default.createFile(atPath: folder.file("pipewire-0"), contents: nil))
        await next.next()
        try FileManager.default.createDirectory(atPath: folder.file("pulse"), withIntermediateDirectories: false)
        await next.next()
        queue.sync { watch.watch(paths) }
        #expect(FileManager.default.createFile(atPath: folder.file("pulse/native"), contents: nil))
        await next.next()
    }
    @Test func `a folder that is made anew is watched again`() async throws {
        let folder = try TemporaryFolder()
        let (appearances, told) = AsyncStream<Void>.makeStream()
        let queue = DispatchQueue(label: "test")
        let watch = try #require(SocketWatch(queue: queue) { told.yield() })
        let paths = [folder.file("pulse/native")]
        let files = FileManager.default
        try files.createDirectory(atPath: folder.file("pulse"), withIntermediateDirectories: false)
        queue.sync { watch.watch(paths) }
        var next = appearances.makeAsyncIterator()
        try files.removeItem(atPath: folder.file("pulse"))
        await next.next()
        queue.sync { watch.watch(paths) }
        try files.createDirectory(atPath: folder.file("pulse"), withIntermediateDirectories: false)
        await next.next()
    }
}
