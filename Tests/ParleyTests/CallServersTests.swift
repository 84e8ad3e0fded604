import BaseKit
import Calling
import Foundation
import MediaRules
import SMP
import TestSupport
import Testing

@testable import Parley

/// Servers for calls as a person sets them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CallServersTests {
    private static let server = ICEServer(url: "turn:turn.example.org", username: "ann", credential: "hush-hush")

    @Test func `what is set is there after the next start`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            #expect(account.callServers == CallServers())
            try await account.addCallServer(Self.server)
            try await account.setRelayOnly(true)
            await account.close()
            let again = try await neighbourhood.open("Ann")
            #expect(again.callServers == CallServers(servers: [Self.server], isRelayOnly: true))
            try await again.removeCallServer(Self.server.url)
            #expect(again.callServers == CallServers(isRelayOnly: true))
        }
    }

    @Test func `a server that was removed comes back to its place, with its login, and once`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let other = ICEServer(url: "stun:stun.example.org")
            let account = try await neighbourhood.open("Ann") { $0.callServers = [Self.server, other] }
            let removed = try #require(try await account.removeCallServer(Self.server.url))
            #expect(account.callServers.servers == [other])
            for _ in 0..<2 { try await account.restore(removed) }
            #expect(account.callServers.servers == [Self.server, other])
            await account.close()
            let again = try await neighbourhood.open("Ann")
            #expect(again.callServers.servers == [Self.server, other])
        }
    }

    @Test func `what the configuration asks for is remembered`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann") {
                $0.callServers = [Self.server]
                $0.relayOnly = true
            }
            await account.close()
            let again = try await neighbourhood.open("Ann") { $0.relayOnly = false }
            #expect(again.callServers == CallServers(servers: [Self.server], isRelayOnly: false))
        }
    }

    @Test func `what an earlier Parley kept is read, and asks no relay`() throws {
        let kept = Array(#"{"servers":[{"url":"stun:stun.example.org"}],"isRelayOnly":false}"#.utf8)
        #expect(try CallServers(decoding: kept) == CallServers(servers: [ICEServer(url: "stun:stun.example.org")]))
        let chosen = CallServers(asksRelays: true)
        #expect(try CallServers(decoding: chosen.encoded()) == chosen)
    }

    @Test func `own relays are asked in calls where the person wants that and has no other STUN server`() throws {
        let fingerprint = String(repeating: "A", count: 43) + "="
        let relays = try [
            "smp://\(fingerprint)@127.0.0.1:5223", "smp://\(fingerprint)@abc.onion", "smp://\(fingerprint)@desk.local",
            "smp://\(fingerprint):password@one.example.org,abc.onion:443", "smp://\(fingerprint)@[2001:db8::1]",
            "smp://\(fingerprint)@three.example.org",
        ].map { try RelayAddress(parsing: $0) }
        let asked = CallServers(asksRelays: true).joined(by: relays)
        #expect(asked.servers.map(\.url) == ["stun:one.example.org:443", "stun:[2001:db8::1]:5223"])
        #expect(CallServers().joined(by: relays).servers == [])
        #expect(CallServers(isRelayOnly: true, asksRelays: true).joined(by: relays).servers == [])
        let own = CallServers(servers: [ICEServer(url: "stun:stun.example.org")], asksRelays: true)
        #expect(own.joined(by: relays) == own)
        let turn = CallServers(servers: [Self.server], asksRelays: true).joined(by: relays)
        #expect(turn.servers.map(\.url).first == Self.server.url && turn.servers.count == 3)
    }

    @Test func `no password lies on disk in clear`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            try await account.addCallServer(Self.server)
            await account.close()
            let folder = neighbourhood.folder.file("Ann")
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                let content = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
                #expect(content.range(of: Data("hush-hush".utf8)) == nil, "\(name)")
            }
        }
    }

    @Test func `what cannot be used is refused and changes nothing`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            await #expect(throws: AccountError.callServer(.notThatForm)) {
                try await account.addCallServer(ICEServer(url: "turn://x", username: "a", credential: "b"))
            }
            await #expect(throws: AccountError.callServer(.credentials)) {
                try await account.addCallServer(ICEServer(url: "turn:x"))
            }
            for number in 0..<CallServers.maximumCount {
                try await account.addCallServer(ICEServer(url: "stun:s\(number).example.org"))
            }
            await #expect(throws: AccountError.tooManyCallServers) {
                try await account.addCallServer(ICEServer(url: "stun:more.example.org"))
            }
            #expect(account.callServers.servers.count == CallServers.maximumCount)
        }
    }

    @Test func `a call that may go only through a relay ends without one and says why`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            try await pair.bob.setRelayOnly(true)
            let (ann, bob) = try await pair.ring()
            try await bob.accept(media: .video)
            #expect(try await bob.endReason() == .mediaFailed)
            #expect(bob.state.failure == Cause(MediaError.relay(.noneConfigured)))
            #expect(try await ann.endReason() == .peerMediaFailed)
            #expect(await ann.summary().result == "peerMediaFailed")
        }
    }

    @Test(.needs(TURNServer.obstacle))
    func `what is set holds for the next call`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let turn = try await TURNServer(neighbourhood.folder, login: .secret("between us"))
            let pair = try await Pair(neighbourhood)
            for account in [pair.ann, pair.bob] {
                try await account.addCallServer(
                    ICEServer(url: "turn:127.0.0.1:\(turn.port)?transport=tcp", secret: "between us"))
                try await account.setRelayOnly(true)
            }
            let (ann, bob) = try await pair.talk()
            try await ann.receives(video: 2, audio: 2)
            try await bob.receives(video: 2, audio: 2)
            await ann.hangUp()
            _ = try await bob.endReason()
            #expect(turn.log.count { $0.contains("ALLOCATE processed, success") } >= 2)
        }
    }
}
