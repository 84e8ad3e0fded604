import BaseKit
import CallControl
import DesktopSession
import Foundation
import Portal
import TestSupport
import TestTunnels
import Testing

/// Ada, whose Parley waits for calls without a window, Ben and whoever else has `parley-cli`, and a relay between them. All are processes.
final class ServiceTown {
    /// The session bus, where Ada's Parley has its name.
    let bus: Bus
    /// What Ada's Parley finds in its environment besides.
    var environment: [String: String] = [:]
    /// What her profile is kept under; nil for a key in a file.
    private let passphrase: String?
    /// Where her keyring is that has her key; nil for none.
    private let keyring: String?
    private let folder: TemporaryFolder
    private let relay: String
    private let server: ChildProcess
    /// What lies between the relay and everybody, who know no other way there; nil for nothing.
    let tunnel: CuttingProxy?

    /// Starts the relay and makes Ada and each of the others contacts. Ada's Parley starts at login or, if she does not want that, by
    /// hand. `home` is the address of another bus than this session's, for her alone; with a keyring there, it has her key. With a tunnel
    /// the relay is reached through that alone.
    init(
        passphrase: String? = nil, startsAtLogin: Bool = true, others: [String] = ["Ben"], home: String? = nil,
        hasKeyring: Bool = false, hasTunnel: Bool = false
    ) throws {
        self.passphrase = passphrase
        keyring = hasKeyring ? home : nil
        bus = try blocking {
            if let home { try await Bus.connect(address: home) } else { try await Bus.session() }
        }
        if let home {
            // Her windows are looked at where those of all tests are.
            environment = ["DBUS_SESSION_BUS_ADDRESS": home, "AT_SPI_BUS_ADDRESS": try Self.accessibilityBus()]
        }
        folder = try TemporaryFolder()
        let server = try ChildProcess(
            ChildProcess.built("parley-relay"), ["--listen", "127.0.0.1:0", "--state", folder.file("relay")],
            folder: folder.path)
        self.server = server
        let address = String(try blocking { try await server.line { $0.hasPrefix("relay smp://") } }.dropFirst(6))
        (tunnel, relay) = hasTunnel ? try Self.tunnel(to: address) : (nil, address)
        let entry = Autostart.Entry(name: ParleyService.name, title: "Parley", command: ["/usr/bin/true"])
        try Autostart(entry, folder: folder.file("config/autostart")).set(startsAtLogin)
        for other in others { try introduce(other) }
    }

    /// A tunnel to a relay of this machine, and the relay's address by that way.
    private static func tunnel(to address: String) throws -> (CuttingProxy, String) {
        let end = try #require(address.lastIndex(of: ":"))
        let port = try #require(Int(address[end...].dropFirst()))
        let tunnel = CuttingProxy(target: port)
        let own = try blocking {
            try await tunnel.start()
            return await tunnel.port
        }
        return (tunnel, address[...end] + "\(own)")
    }

    /// The accessibility bus of this session, for a program on another bus.
    static func accessibilityBus() throws -> String {
        try blocking {
            let reply = try await Bus.session().call(
                BusMethod(
                    destination: "org.a11y.Bus", path: "/org/a11y/bus", interface: "org.a11y.Bus", name: "GetAddress"))
            return reply.values.first?.string ?? ""
        }
    }

    /// Connects Ada and somebody before her Parley runs.
    private func introduce(_ other: String) throws {
        var key = ["--key-file"]
        if let passphrase {
            try (passphrase + "\n").write(toFile: folder.file("passphrase"), atomically: true, encoding: .utf8)
            key = ["--passphrase-file", folder.file("passphrase")]
        }
        if keyring != nil { key = ["--keyring"] }
        let inviting = try cli(
            ["invite", "--profile", profile, "--name", "Ada", "--relay", relay, "--json"] + key,
            environment: keyring.map { ["DBUS_SESSION_BUS_ADDRESS=\($0)"] } ?? [])
        let link = try #require(try wait(for: "link", of: inviting)["link"] as? String)
        let connecting = try person(other, ["connect", link])
        #expect(try end(of: connecting) == 0, "\(connecting.errors)")
        #expect(try end(of: inviting) == 0, "\(inviting.errors)")
    }

    /// Gives Ada a second profile of this name, beside the first and open, and connects it with somebody.
    func addProfile(_ name: String, knowing other: String) throws {
        let inviting = try cli(
            ["invite", "--profile", profile + "-2", "--name", name, "--relay", relay, "--json", "--key-file"])
        let link = try #require(try wait(for: "link", of: inviting)["link"] as? String)
        let connecting = try person(other, ["connect", link])
        #expect(try end(of: connecting) == 0, "\(connecting.errors)")
        #expect(try end(of: inviting) == 0, "\(inviting.errors)")
        let entries = [(1, "Ada"), (2, name)].map { #"{"number":\#($0),"name":"\#($1)","standing":"open"}"# }
        let list = #"{"version":1,"shown":1,"profiles":[\#(entries.joined(separator: ","))]}"#
        try list.write(toFile: profile + "-profiles.json", atomically: true, encoding: .utf8)
    }

    // MARK: Ada

    /// Where her profile lies: the one that is used when none is named.
    var profile: String { folder.file("data/parley") }

    /// The words that make a Parley hers, and its environment.
    var command: (words: [String], environment: [String: String]) {
        (
            ["--name", "Ada", "--relay", relay, "--camera", "test", "--microphone", "test"]
                + (passphrase == nil && keyring == nil ? ["--key-file"] : []),
            environment.merging([
                "XDG_DATA_HOME": folder.file("data"), "XDG_CONFIG_HOME": folder.file("config"),
            ]) { $1 }
        )
    }

    /// Starts her Parley, as soon as none has the name any more.
    func startParley(_ words: String...) throws -> RunningProgram {
        let client = ApplicationClient(bus: bus)
        try wait("the end of another Parley") { try blocking { try await client.status() } == .notRunning }
        let parley = try RunningProgram(words + command.words, environment: command.environment)
        try wait("the name") {
            try blocking { try await client.status() } == .running(processID: parley.processIdentifier)
        }
        return parley
    }

    /// Starts her Parley without a window and waits until calls come in.
    func startService() throws -> RunningProgram {
        let parley = try startParley("--service")
        try waitUntilReachable()
        return parley
    }

    /// Waits until calls come in.
    func waitUntilReachable() throws { try wait("the relay") { try self.reachability == .yes } }

    /// What her Parley says of calls that come in.
    var reachability: Reachability {
        get throws { try blocking { [bus] in try await CallsClient(bus: bus).reachability() } }
    }

    /// The call that her Parley tells of, once it stands there.
    @discardableResult
    func call(_ state: CallFacts.State, sourceLocation: SourceLocation = #_sourceLocation) throws -> CallFacts {
        try call("that is \(state.rawValue)", sourceLocation: sourceLocation) { $0.state == state }
    }

    /// The newest call that her Parley tells of with somebody, or with anybody, once it is so.
    @discardableResult
    func call(
        _ what: String, with name: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        where isWanted: (CallFacts) -> Bool
    ) throws -> CallFacts {
        var found: CallFacts?
        try wait("a call \(what)", sourceLocation: sourceLocation) {
            found = try blocking { [bus] in try await CallsClient(bus: bus).calls() }.last {
                name == nil || $0.name == name
            }
            return found.map(isWanted) ?? false
        }
        return try #require(found)
    }

    /// Accepts a call with sound only, as another program of hers does.
    func accept(_ call: CallFacts) throws {
        try blocking { [bus] in try await CallsClient(bus: bus).accept(call.id, camera: false) }
    }

    // MARK: The others

    /// Starts `parley-cli` with somebody's profile.
    private func person(_ name: String, _ words: [String]) throws -> ChildProcess {
        try cli(words + ["--profile", folder.file(name), "--name", name, "--relay", relay, "--key-file", "--json"])
    }

    /// Somebody calls Ada, or another profile of hers.
    func calls(_ name: String, _ words: [String], whom: String = "Ada") throws -> ChildProcess {
        try cli(
            ["call", whom] + words + [
                "--profile", folder.file(name), "--key-file", "--camera", "test", "--microphone", "test", "--json",
            ])
    }

    /// Starts `parley-cli` with Ben's profile.
    func ben(_ words: String...) throws -> ChildProcess { try person("Ben", words) }

    /// Ben calls Ada.
    func benCalls(_ words: String...) throws -> ChildProcess { try calls("Ben", words) }

    /// Ben waits for one call and accepts it.
    func benListens() throws -> ChildProcess {
        let ben = try ben("listen", "--accept", "--once", "--camera", "test", "--microphone", "test")
        try wait(for: "listening", of: ben)
        return ben
    }

    // MARK: Commands

    /// Starts `parley-cli`.
    func cli(_ words: [String], environment: [String] = []) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/env", environment + [ChildProcess.built("parley-cli")] + words, folder: folder.path)
    }

    /// Waits for an event that a command prints; gives its fields.
    @discardableResult
    func wait(for event: String, of process: ChildProcess) throws -> [String: Any] {
        let line: String
        do {
            line = try blocking {
                try await process.line(within: .seconds(60)) { $0.contains("\"event\":\"\(event)\"") }
            }
        } catch {
            let printed = (process.lines.suffix(5) + [process.errors]).joined(separator: "\n")
            throw RunningProgram.NotSeen(what: "“\(event)” (\(error)) among\n\(printed)")
        }
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// Waits for the end of a command; gives its exit status.
    func end(of process: ChildProcess) throws -> Int32 {
        try blocking { try await process.exitStatus(within: .seconds(60)) }
    }

    /// Waits until something is so.
    func wait(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, until condition: () throws -> Bool
    ) throws { try waitUntil(what, sourceLocation: sourceLocation, condition) }
}
