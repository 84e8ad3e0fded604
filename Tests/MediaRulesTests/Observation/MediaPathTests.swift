import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct MediaPathTests {
    @Test func `each word of a candidate is one kind of end`() {
        let ends: [(String, MediaPath.End)] = [
            ("host", .host), ("srflx", .serverReflexive), ("prflx", .peerReflexive), ("relay", .relayed),
        ]
        for (local, localEnd) in ends {
            for (remote, remoteEnd) in ends {
                let path = MediaPath(local: local, remote: remote, protocol: "udp")
                #expect(path == MediaPath(local: localEnd, remote: remoteEnd, transport: local == "relay" ? nil : .udp))
                #expect(path?.isRelayed == (local == "relay" || remote == "relay"))
            }
        }
    }

    @Test func `what goes to the own relay is what the packets go by`() {
        #expect(MediaPath(local: "relay", remote: "host", protocol: "udp", relay: "tcp")?.transport == .tcp)
        #expect(MediaPath(local: "relay", remote: "host", protocol: "udp", relay: "tls")?.transport == .tcp)
        #expect(MediaPath(local: "relay", remote: "host", protocol: "tcp", relay: "udp")?.transport == .udp)
        #expect(MediaPath(local: "relay", remote: "host", protocol: "udp", relay: "none")?.isRelayed == true)
        #expect(MediaPath(local: "relay", remote: "host", protocol: "udp", relay: "none")?.transport == nil)
        #expect(MediaPath(local: "host", remote: "host", protocol: "UDP")?.transport == .udp)
        // Of no relay it says nothing.
        #expect(MediaPath(local: "srflx", remote: "relay", protocol: "udp", relay: "tcp")?.transport == .udp)
    }

    @Test func `the version is that of this side's address, and not known behind a relay of this side`() {
        func version(_ address: String?, _ local: String = "host") -> MediaPath.Version? {
            MediaPath(local: local, remote: "relay", protocol: "udp", address: address)?.version
        }
        #expect(version("192.0.2.7") == .ipv4 && version("2001:db8::7", "srflx") == .ipv6)
        #expect(version(nil) == nil && version("192.0.2.7", "relay") == nil)
    }

    @Test func `other words are no path`() {
        #expect(MediaPath(local: "hosts", remote: "host", protocol: "udp") == nil)
        #expect(MediaPath(local: "host", remote: "", protocol: "udp") == nil)
        #expect(MediaPath(local: "host", remote: "relayed", protocol: "udp") == nil)
    }
}
