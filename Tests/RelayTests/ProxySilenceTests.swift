import Cryptography
import Foundation
import Relay
import RelayRules
import SMP
import SMPTransport
import TestSupport
import Testing

@testable import SMPSession

/// What a proxy answers says nothing of what is behind an address, and neither does the time before the answer where
/// nothing may be reached.
@Suite(.timeLimit(.minutes(5))) struct ProxySilenceTests {
    /// What may be found behind a port.
    private struct Ports {
        let silent: SilentServer
        let chatty: SilentServer
        let stranger: RelayServer
        let folder: TemporaryFolder
        let all: [(name: String, port: UInt16)]

        init() async throws {
            silent = try SilentServer()
            // Speaks, but no TLS.
            chatty = try SilentServer { _ in Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8) }
            folder = try TemporaryFolder()
            // A relay with another fingerprint than is asked for, and no version that the proxy speaks.
            stranger = RelayServer(
                configuration: RelayConfiguration(
                    port: 0, stateDirectory: folder.path, versions: SMPVersionRange(11...13))
            )
            let relayPort = try await stranger.start().effectivePort
            all = [
                ("closed", try SilentServer.closedPort()), ("silent", silent.port), ("no TLS", chatty.port),
                ("another relay", relayPort),
            ]
        }

        func stop() async {
            silent.stop()
            chatty.stop()
            await stranger.stop()
        }
    }

    /// The bytes of the answers to PRXY, by what is behind the port, and the longest that one took.
    private func answers(
        _ ports: Ports, _ configuration: ProxyConfiguration
    ) async throws -> (bytes: [String: [UInt8]], longest: Duration) {
        var bytes: [String: [UInt8]] = [:]
        var longest = Duration.zero
        try await withRelay(change: .init { $0.proxy = configuration }) { _, address in
            let session = try await RawSession(to: address)
            for (name, port) in ports.all {
                let other = try RelayAddress(hosts: ["127.0.0.1"], port: port, keyHash: Digest.sha256([1]))
                let clock = ContinuousClock()
                let time = try await clock.measure {
                    try await session.send(.openProxySession(other, password: nil))
                    bytes[name] = try await session.receiveBytes()
                }
                longest = max(longest, time)
            }
        }
        return (bytes, longest)
    }

    @Test func `whatever is behind a port that may be reached the answer has the same bytes`() async throws {
        let ports = try await Ports()
        var configuration = ProxyConfiguration()
        configuration.reachesLocalNetworks = true
        configuration.connectTimeout = .milliseconds(500)
        let (bytes, _) = try await answers(ports, configuration)
        #expect(Set(bytes.values) == [Array("ERR PROXY BROKER NETWORK".utf8)], "\(bytes)")
        // They were reached, or the test says nothing.
        #expect(!ports.silent.ended.isEmpty && !ports.chatty.ended.isEmpty)
        await ports.stop()
    }

    @Test func `whatever is behind a port that must not be reached the answer comes at once`() async throws {
        let ports = try await Ports()
        var configuration = ProxyConfiguration()
        // Who asks a silent port would wait for as long.
        (configuration.connectTimeout, configuration.patience) = (.seconds(60), .seconds(60))
        let (bytes, longest) = try await answers(ports, configuration)
        #expect(Set(bytes.values) == [Array("ERR PROXY BROKER NETWORK".utf8)], "\(bytes)")
        #expect(longest < .seconds(20))
        #expect(ports.silent.received.isEmpty && ports.silent.ended.isEmpty)
        #expect(ports.chatty.received.isEmpty && ports.chatty.ended.isEmpty)
        #expect(ports.stranger.connectionCount == 0)
        await ports.stop()
    }

    @Test func `only who names the fingerprint of a relay is told that it speaks no common version`() async throws {
        let ports = try await Ports()
        var configuration = ProxyConfiguration()
        configuration.reachesLocalNetworks = true
        let stranger = try #require(ports.stranger.address)
        let guess = try RelayAddress(hosts: stranger.hosts, port: stranger.port, keyHash: Digest.sha256([1]))
        try await withRelay(change: .init { $0.proxy = configuration }) { _, address in
            let session = try await RawSession(to: address)
            try await session.send(.openProxySession(guess, password: nil))
            #expect(try await session.receiveBytes() == Array("ERR PROXY BROKER NETWORK".utf8))
            try await session.send(.openProxySession(stranger, password: nil))
            #expect(try await session.receiveBytes() == Array("ERR PROXY BROKER TRANSPORT VERSION".utf8))
        }
        await ports.stop()
    }
}
