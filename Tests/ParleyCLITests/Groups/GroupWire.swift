import Foundation
import NetworkEmulation
import TestSupport
import Testing

/// People on two machines with a link between them, who know each other by A alone, and a Janus beside the relay on the second machine.
final class GroupWire: Sendable {
    /// How long the Janus keeps the session of a connection that was lost, in seconds.
    static let reclaim = 15

    let town: WireTown
    let janus: JanusServer
    /// Who is on the first machine; everybody else is on the second.
    private let away: Set<String>
    private let authority: TestAuthority
    private let folder: TemporaryFolder
    /// The relay of those on the first machine, where they have one.
    private let ownRelay: (process: ChildProcess, address: String)?
    private static let sources = ["--camera", "test", "--microphone", "test", "--low-data", "--json"]

    /// `away`: who is on the first machine; with `hasRelay` these have a relay there, else that of the others.
    init(_ others: [String], away: Set<String>, hasRelay: Bool = false) async throws {
        (town, self.away, folder) = (try await WireTown(), away, try TemporaryFolder())
        authority = try TestAuthority(folder.path)
        // At the first address of its device: it listens there whatever other one it is given.
        janus = try await JanusServer(
            folder, address: town.emulator.second.address, patience: JanusServer.Patience(reclaim: Self.reclaim),
            certificate: authority.issue(["IP:\(town.emulator.second.address)"]), prefix: town.emulator.second.prefix)
        ownRelay = hasRelay ? try await Self.relay(town) : nil
        for other in others {
            let inviting = try start("A", ["invite", "--json"])
            let connecting = try start(
                other, ["connect", try await WireTown.link(of: inviting), "--json"])
            try await WireTown.waitForBoth(inviting, connecting)
        }
    }

    deinit { janus.stop() }

    private static func relay(_ town: WireTown) async throws -> (ChildProcess, String) {
        let words =
            town.emulator.first.prefix + [
                ChildProcess.built("parley-relay"), "--listen", town.emulator.first.address + ":5223", "--state",
                town.folder.file("other-relay"),
            ]
        let process = try ChildProcess(words[0], Array(words.dropFirst()), folder: town.folder.path)
        let line = try await process.line { $0.hasPrefix("relay smp://") }
        return (process, String(line.dropFirst("relay ".count)))
    }

    private func side(of name: String) -> NetworkEmulator.Side {
        away.contains(name) ? town.emulator.first : town.emulator.second
    }

    private func start(_ name: String, _ arguments: [String]) throws -> ChildProcess {
        try town.start(
            on: side(of: name), name, relay: away.contains(name) ? ownRelay?.address : nil,
            environment: ["SSL_CERT_FILE=\(authority.certificate)"], arguments)
    }

    /// Somebody who accepts whatever call comes.
    func listen(_ name: String) async throws -> ChildProcess {
        let process = try start(name, ["listen", "--accept", "--statistics"] + Self.sources)
        try await process.event("listening")
        return process
    }

    /// A calls others, over the Janus if so wanted.
    func call(_ others: [String], overJanus: Bool) throws -> ChildProcess {
        let keys = folder.file("keys")
        try Data("room-key \(janus.keys.room ?? "")\n".utf8).write(to: URL(fileURLWithPath: keys))
        let server = [
            "--janus", "wss://\(town.emulator.second.address):\(janus.securePort)/", "--janus-keys", keys,
            "--janus-always",
        ]
        return try start(
            "A", ["group"] + others + ["--video", "--statistics"] + (overJanus ? server : []) + Self.sources)
    }

    // MARK: The way of the first machine to the Janus's WebSockets

    private var inside: String { town.emulator.first.prefix.joined(separator: " ") }

    /// Ends the connections there are, on both sides, and refuses others. Media go on.
    func cutSignaling() throws {
        try NetworkCommand.run(all: [
            "\(inside) nft add table inet cut",
            "\(inside) nft add chain inet cut out { type filter hook output priority 0 ; }",
            "\(inside) nft add rule inet cut out tcp dport \(janus.securePort) tcp flags & (syn | ack) == syn reject with tcp reset",
            "\(inside) ss -K -tn dport = \(janus.securePort)",
        ])
    }

    func mendSignaling() throws { try NetworkCommand.run(all: ["\(inside) nft delete table inet cut"]) }
}

extension ChildProcess {
    /// Ends it with its call, as a person would.
    func leave() async throws {
        signal(SIGINT)
        _ = try await exitStatus()
    }
}
