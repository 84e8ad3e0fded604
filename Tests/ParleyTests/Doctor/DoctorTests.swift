import Foundation
import MediaRules
import SFURules
import SMP
import Signaling
import TestSupport
import Testing
import Wording

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct DoctorTests {
    @Test func `a relay is tried as a profile uses it`() async throws {
        try await Neighbourhood.with { neighbourhood in
            var doctor = Doctor()
            let address = try RelayAddress(parsing: neighbourhood.relay)
            let other = try RelayAddress(
                hosts: address.hosts, port: address.effectivePort, keyHash: [UInt8](repeating: 7, count: 32))
            doctor.relays = [neighbourhood.relay, other.text, "smp://nonsense"]
            let findings = await doctor.findings(of: .relay)
            #expect(findings.map(\.verdict) == [.ok, .problem, .problem])
            #expect(findings[0].subject == neighbourhood.relay)
            #expect(findings[0].sentence.contains("SMP 17"))
            #expect(findings[1].sentence.contains("fingerprint") && findings[1].advice != nil)
            #expect(findings[2].sentence.contains("“smp://nonsense”"))
            await neighbourhood.server.stop()
            #expect(await doctor.findings(of: .relay)[0].verdict == .problem)
        }
    }

    @Test(.needs(JanusServer.obstacle))
    func `a call server is tried by media in a room, and of none that would do is told why`()
        async throws
    {
        let folder = try TemporaryFolder()
        let janus = try await JanusServer(folder)
        defer { janus.stop() }
        var doctor = Doctor()
        let address = try SFUAddress(parsing: janus.address)
        let key = try #require(janus.keys.room)
        doctor.callServer = GroupServer(address: address, keys: SFUKeys(roomKey: SecretText(key)))
        let good = await doctor.findings(of: .callServer)
        #expect(good.map(\.verdict) == [.ok] && good.map(\.subject) == [address.text])
        #expect(good[0].sentence.hasPrefix("Sound and pictures go through rooms on it directly (Janus 1."))
        doctor.callServer = GroupServer(address: address, keys: SFUKeys(roomKey: SecretText("guess")))
        #expect(await doctor.findings(of: .callServer).map(\.fact) == [.callServerUnusable(.server(.mayNotMakeRooms))])
        janus.stop()
        let gone = await doctor.findings(of: .callServer)
        #expect(gone.map(\.verdict) == [.problem])
        #expect(gone[0].sentence.contains("can't be reached"))
    }

    @Test func `what is not named is skipped and says how to name it`() async {
        let doctor = Doctor()
        for check in [Finding.Check.relay, .server, .callServer] {
            let findings = await doctor.findings(of: check)
            #expect(findings.map(\.verdict) == [.skipped])
            #expect(findings[0].advice?.contains("--profile") == true)
        }
    }

    @Test func `every check is made once in its order`() async {
        var checks: [Finding.Check] = []
        for await finding in Doctor().findings() where checks.last != finding.check { checks.append(finding.check) }
        #expect(checks == Finding.Check.allCases)
    }

    /// The files of a profile with what is in them, but for the store's own: who opens it leaves its time there.
    private static func files(in folder: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix("agent.") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))) })
    }

    @Test func `a profile tells its relays and servers and stays as it is`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            let server = ICEServer(url: "turn:127.0.0.1:1", username: "a", credential: "b")
            try await account.addCallServer(server)
            try await account.setRelayOnly(true)
            let callServer = GroupServer(
                address: try SFUAddress(parsing: "wss://127.0.0.1:1/"), keys: SFUKeys(roomKey: SecretText("k")),
                isAlwaysUsed: true)
            try await account.setGroupServer(callServer)
            let path = neighbourhood.folder.file("Ann")
            await #expect(throws: AccountError.inUse(path)) { _ = try await ProfilePlaces(of: path, passphrases: nil) }
            await account.close()
            let before = try Self.files(in: path)
            #expect(before.keys.contains("settings.json"))
            let places = try await ProfilePlaces(of: path, passphrases: nil)
            #expect(try Self.files(in: path) == before)
            #expect(places == (try await ProfilePlaces(of: path, passphrases: nil)))
            #expect(places.relays == [neighbourhood.relay])
            #expect(places.servers == CallServers(servers: [server], isRelayOnly: true))
            #expect(places.callServer == callServer)
            #expect(places.settings.verdict == .ok)
            let nowhere = neighbourhood.folder.file("Nobody")
            await #expect(throws: AccountError.folder(nowhere)) {
                _ = try await ProfilePlaces(of: nowhere, passphrases: nil)
            }
        }
    }

    @Test(arguments: ["{\"relays\":[\"smp", ""])
    func `damaged settings are a problem and stay as they are`(text: String) async throws {
        try await Neighbourhood.with { neighbourhood in
            await (try await neighbourhood.open("Ann")).close()
            let path = neighbourhood.folder.file("Ann")
            let file = path + "/settings.json"
            try text.write(toFile: file, atomically: false, encoding: .utf8)
            let before = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            let places = try await ProfilePlaces(of: path, passphrases: nil)
            #expect(places.relays.isEmpty)
            #expect(places.settings.verdict == .problem)
            #expect(places.settings.subject == file)
            #expect(places.settings.advice?.contains("backup") == true)
            var doctor = Doctor()
            doctor.settings = places.settings
            #expect(await doctor.findings(of: .settings) == [places.settings])
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
            #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == before)
            // The person still hears of it when the profile opens.
            let ann = try await neighbourhood.open("Ann")
            _ = try await ann.update("the notice") { update -> SettingsLoss? in
                if case .settings(let loss) = update { loss } else { nil }
            }
        }
    }
}
