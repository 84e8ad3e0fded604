import Foundation
import TestSupport
import Testing

/// Real programs behind a real router: miniupnpd with nftables, in network namespaces.
@Suite(.needs(RouterTown.obstacle), .serialized, .timeLimit(.minutes(5))) struct OpenPortTests {
    private func start(
        _ town: RouterTown, _ machine: RouterTown.Machine, _ program: String, _ arguments: [String]
    ) throws -> ChildProcess {
        let words = town.prefix(machine) + [ChildProcess.built(program)] + arguments
        return try ChildProcess(words[0], Array(words.dropFirst()), folder: town.folder.path)
    }

    /// Anna at home, with a relay inside her program and a port for it.
    private func anna(_ town: RouterTown, _ arguments: [String]) throws -> ChildProcess {
        let profile = ["--profile", town.folder.file("Anna"), "--name", "Anna", "--key-file"]
        return try start(town, .home, "parley-cli", profile + ["--own-relay", "--open-port", "--json"] + arguments)
    }

    /// A relay outside that tries others, and its address.
    private func relay(_ town: RouterTown) async throws -> (process: ChildProcess, address: String) {
        let process = try start(
            town, .outside, "parley-relay",
            ["--listen", RouterTown.outsideAddress + ":5223", "--state", town.folder.file("relay"), "--proxy"])
        let line = try await process.line { _ in true }
        return (process, String(line.dropFirst("relay ".count)))
    }

    private func ben(_ town: RouterTown, _ relay: String, _ arguments: [String]) throws -> ChildProcess {
        let profile = ["--profile", town.folder.file("Ben"), "--name", "Ben", "--key-file", "--relay", relay, "--json"]
        return try start(town, .outside, "parley-cli", profile + arguments)
    }

    /// What is known of the port once the router has answered.
    private func outcome(_ process: ChildProcess) async throws -> Event {
        try Event(
            try await process.line { line in line.contains("\"event\":\"port\"") && !line.contains("\"asking\"") })
    }

    /// Anna and Ben become contacts by a link that leads through the router.
    private func connect(_ town: RouterTown, _ relay: String) async throws -> UInt16 {
        let inviting = try anna(town, ["invite", "--full"])
        let event = try await inviting.event("link")
        let link = try #require(event["link"] as? String)
        #expect(event["reach"] as? String == "everywhere" && link.contains(RouterTown.publicAddress), "\(link)")
        let port = try #require((try await outcome(inviting))["port"] as? Int)
        #expect(try town.forwards(port: UInt16(port)))
        let joining = try ben(town, relay, ["connect", link])
        #expect(try await joining.exitStatus() == 0, "\(joining.lines) \(joining.errors)")
        #expect(try await inviting.exitStatus() == 0, "\(inviting.lines) \(inviting.errors)")
        return UInt16(port)
    }

    @Test func `who is elsewhere connects by a link that leads through the router, which a relay there confirms`()
        async throws
    {
        let town = try await RouterTown()
        let (process, relay) = try await relay(town)
        let port = try await connect(town, relay)
        // Who leaves closes it.
        #expect(!(try town.forwards(port: port)))

        let listening = try anna(town, ["listen"])
        let first = try await outcome(listening)
        #expect(first["way"] as? String == "pcp" && first["address"] as? String == RouterTown.publicAddress)
        try await listening.event("listening")
        let writing = try ben(town, relay, ["send", "Anna", "Hello"])
        #expect(try await writing.exitStatus() == 0, "\(writing.lines) \(writing.errors)")
        // Anna's receipt leads to Ben's relay, which then can be asked.
        let line = try await listening.line { $0.contains("\"trial\":\"reached\"") }
        #expect(line.contains(RouterTown.outsideAddress))
        listening.signal(SIGTERM)
        _ = try await listening.exitStatus()
        #expect(!(try town.forwards(port: port)))
        process.signal(SIGTERM)
    }

    @Test func `a port that a relay elsewhere finds closed is told as that, and links lead there no more`() async throws
    {
        let town = try await RouterTown()
        let (process, relay) = try await relay(town)
        _ = try await connect(town, relay)
        town.shield()
        let calling = try anna(town, ["call", "Ben", "--audio", "--microphone", "test"])
        let line = try await calling.line { $0.contains("\"trial\":\"unreached\"") }
        #expect(line.contains(RouterTown.outsideAddress))
        calling.signal(SIGTERM)
        _ = try await calling.exitStatus()
        process.signal(SIGTERM)
    }

    @Test func `a router that speaks only UPnP opens the port, too`() async throws {
        var router = RouterTown.Router()
        router.speaksPCP = false
        let town = try await RouterTown(router)
        let inviting = try anna(town, ["invite", "--full"])
        let event = try await outcome(inviting)
        #expect(event["state"] as? String == "open" && event["way"] as? String == "upnp", "\(event)")
        let port = UInt16(try #require(event["port"] as? Int))
        #expect(try town.forwards(port: port))
        inviting.signal(SIGTERM)
        _ = try await inviting.exitStatus()
        #expect(!(try town.forwards(port: port)))
    }

    @Test func `a router without a public address refuses, and it is said that it may be behind another one`()
        async throws
    {
        var router = RouterTown.Router()
        router.address = "100.64.8.1"
        let town = try await RouterTown(router)
        let inviting = try anna(town, ["invite", "--full"])
        let event = try await outcome(inviting)
        #expect(event["state"] as? String == "refused", "\(event)")
        #expect((event["message"] as? String)?.contains("behind another router") == true, "\(event)")
        let link = try await inviting.event("link")
        #expect(link["reach"] as? String == "network")
        inviting.signal(SIGTERM)
    }

    @Test func `a router that does not allow it is told as that`() async throws {
        var router = RouterTown.Router()
        router.allows = false
        // Asked by PCP, this one looks for a port that it may open, through all of them.
        router.speaksPCP = false
        let town = try await RouterTown(router)
        let inviting = try anna(town, ["invite", "--full"])
        let event = try await outcome(inviting)
        #expect(event["state"] as? String == "refused", "\(event)")
        #expect((event["message"] as? String)?.contains("does not open ports for this computer") == true, "\(event)")
        #expect(try await inviting.event("link")["reach"] as? String == "network")
        inviting.signal(SIGTERM)
    }

    @Test func `a router that answers nothing is told as that`() async throws {
        let town = try await RouterTown()
        town.silenceRouter()
        let inviting = try anna(town, ["invite", "--full"])
        #expect(try await outcome(inviting)["state"] as? String == "unanswered")
        #expect(try await inviting.event("link")["reach"] as? String == "network")
        inviting.signal(SIGTERM)
    }

    @Test func `a port without a relay inside is a mistake`() async throws {
        let folder = try TemporaryFolder()
        let process = try ChildProcess(
            ChildProcess.built("parley-cli"), ["--profile", folder.file("A"), "--open-port", "contacts"],
            folder: folder.path)
        #expect(try await process.exitStatus() == 64)
        #expect(process.errors.contains("--own-relay"))
    }
}
