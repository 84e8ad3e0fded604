import Foundation
import TestSupport
import TestTunnels
import Testing

/// A running `parley-relay` and the profiles that use it, in a folder of their own.
final class Town: Sendable {
    let folder: TemporaryFolder
    let relay: String
    private let server: ChildProcess
    /// What lies between the relay and who is called by it, who know no other way to what they are sent.
    private let tunnel: (proxy: CuttingProxy, address: String, names: Set<String>)?

    /// `deafened`: those for whom the relay can be cut off by ``deafen()``.
    init(deafened names: Set<String> = []) async throws {
        folder = try TemporaryFolder()
        server = try ChildProcess(
            ChildProcess.built("parley-relay"), ["--listen", "127.0.0.1:0", "--state", folder.file("relay")],
            folder: folder.path)
        let line = try await server.line { _ in true }
        relay = try #require(line.hasPrefix("relay smp://") ? String(line.dropFirst("relay ".count)) : nil)
        guard !names.isEmpty else {
            tunnel = nil
            return
        }
        let end = try #require(relay.lastIndex(of: ":"))
        let proxy = CuttingProxy(target: try #require(Int(relay[end...].dropFirst())))
        try await proxy.start()
        tunnel = (proxy, relay[...end] + "\(await proxy.port)", names)
    }

    /// From now on nobody's messages come to those for whom the relay can be cut off; what they say still goes to others.
    func deafen() async { await tunnel?.proxy.block() }

    /// Starts `parley-cli` with these arguments.
    func start(_ arguments: String...) throws -> ChildProcess { try start(arguments) }

    func start(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(ChildProcess.built("parley-cli"), arguments, folder: folder.path)
    }

    /// The options that name a profile's folder and the relay.
    func profile(_ name: String) -> [String] {
        let own = tunnel.flatMap { $0.names.contains(name) ? $0.address : nil } ?? relay
        return ["--profile", folder.file(name), "--relay", own, "--key-file"]
    }

    /// Connects two profiles by `invite` and `connect`, each in a process of its own.
    func introduce(_ first: String, _ second: String, _ options: [String] = []) async throws {
        let inviting = try start(profile(first) + options + ["invite", "--json"])
        let link = try #require(try Event(try await inviting.event("link").line)["link"] as? String)
        let connecting = try start(profile(second) + options + ["connect", link, "--json"])
        #expect(try await connecting.exitStatus() == 0, "\(connecting.errors)")
        #expect(try await inviting.exitStatus() == 0, "\(inviting.errors)")
        #expect(try connecting.events().last?["contact"] as? String == first)
        #expect(try inviting.events().last?["contact"] as? String == second)
    }
}

/// One line that `parley-cli --json` printed.
struct Event {
    let line: String
    private let fields: [String: Any]

    /// - Throws: when the line is no JSON object with a name and a time.
    init(_ line: String) throws {
        self.line = line
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        fields = try #require(value as? [String: Any], "\(line)")
        _ = try #require(fields["event"] as? String, "\(line)")
        #expect(try #require(fields["t"] as? Int, "\(line)") >= 0)
        #expect(Self.mistyped(fields) == [], "\(line)")
    }

    /// The places of numbers and booleans that are given as text.
    static func mistyped(_ value: Any, at place: String = "") -> [String] {
        switch value {
        case let object as [String: Any]:
            object.sorted { $0.key < $1.key }
                // A telephone's key is no number.
                .filter { $0.key != "key" }
                .flatMap { mistyped($0.value, at: place.isEmpty ? $0.key : "\(place).\($0.key)") }
        case let list as [Any]: list.flatMap { mistyped($0, at: place) }
        case let text as String: Double(text) != nil || ["true", "false", "yes", "no"].contains(text) ? [place] : []
        default: []
        }
    }

    var name: String { fields["event"] as? String ?? "" }
    var keys: Set<String> { Set(fields.keys) }
    subscript(key: String) -> Any? { fields[key] }

    func counts(_ direction: String) -> [String: Any] { fields[direction] as? [String: Any] ?? [:] }
    var setup: [String: Int] { fields["setup"] as? [String: Int] ?? [:] }
}

extension ChildProcess {
    /// All events so far; every line must be one.
    func events() throws -> [Event] { try lines.map(Event.init) }

    /// Waits for an event.
    @discardableResult
    func event(_ name: String) async throws -> Event {
        try Event(try await line { $0.contains("\"event\":\"\(name)\"") })
    }
}

/// The steps of setting up, in their order.
let steps = ["ringing", "accepted", "offer", "answer", "iceConnected", "dtlsConnected", "firstFrame"]
