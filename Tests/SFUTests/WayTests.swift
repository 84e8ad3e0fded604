import BaseKit
import SFURules
import Signaling
import TestSupport
import Testing

@testable import SFU

/// The way to a call server: names, TLS, who answers.
@Suite(.timeLimit(.minutes(5))) struct WayTests {
    private func connect(_ text: String, authorities: String? = nil) async throws {
        let client = SFURoomClient(
            address: try SFUAddress(parsing: text), configuration: SFUConfiguration(authorities: authorities))
        try await client.connect()
        await client.close()
    }

    @Test func `without encryption nothing but this machine is dialled, nor is its name looked up`() async throws {
        // There is no address to give a client, and so nothing that could look it up.
        await #expect(throws: SFUError.unsafeAddress) { try await connect("ws://sfu.example/") }
    }

    @Test func `nobody there is told as such`() async throws {
        let port = try SilentServer.closedPort()
        await #expect(throws: SFUError.unreachable(reason: "connection refused")) {
            try await connect("ws://127.0.0.1:\(port)/")
        }
    }

    @Test func `a name that nobody has is told as such`() async throws {
        do {
            try await connect("wss://nobody.invalid/")
            Issue.record("connected to nobody")
        } catch let error as SFUError {
            guard case .unreachable = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test(arguments: [
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n",
        "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 3\r\n\r\nno\n",
    ]) func `who is no Janus is told as such`(words: String) async throws {
        let server = try SilentServer { _ in Array(words.utf8) }
        defer { server.stop() }
        await #expect(throws: SFUError.notJanus) { try await connect("ws://127.0.0.1:\(server.port)/") }
    }

    @Test func `who takes the connection and says nothing is given up`() async throws {
        let server = try SilentServer()
        defer { server.stop() }
        let address = try SFUAddress(parsing: "ws://127.0.0.1:\(server.port)/")
        await #expect(throws: SFUError.timedOut) {
            _ = try await WebSocketConnection.open(address, tls: nil, patience: .milliseconds(200))
        }
    }

    @Test func `who answers without TLS is no way to it`() async throws {
        let server = try SilentServer { _ in Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8) }
        defer { server.stop() }
        do {
            try await connect("wss://127.0.0.1:\(server.port)/")
            Issue.record("connected without TLS")
        } catch let error as SFUError {
            guard case .unreachable = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func `authorities that can't be read are told as such`() async throws {
        await #expect(throws: SFUError.authorities) {
            try await connect("wss://127.0.0.1:9/", authorities: "/nowhere.pem")
        }
    }

    @Test(.needs(JanusServer.obstacle)) func `a certificate counts only of a known authority, and for the name`()
        async throws
    {
        let folder = try TemporaryFolder()
        let (own, files) = (try TemporaryFolder(), try TemporaryFolder())
        let authority = try TestAuthority(files.path)
        let certificate = try authority.issue(["IP:127.0.0.1"])
        let server = try await JanusServer(folder, certificate: certificate)
        let secure = "wss://127.0.0.1:\(server.securePort)/"
        try await connect(secure, authorities: authority.certificate)
        // The system knows nothing of this authority, and another one did not issue it.
        for authorities in [nil, try TestAuthority(own.path).certificate] {
            do {
                try await connect(secure, authorities: authorities)
                Issue.record("an unknown certificate was taken")
            } catch let error as SFUError {
                guard case .certificate = error else {
                    Issue.record("\(error)")
                    continue
                }
            }
        }
        do {
            try await connect("wss://localhost:\(server.securePort)/", authorities: authority.certificate)
            Issue.record("a certificate of another name was taken")
        } catch let error as SFUError {
            guard case .certificate = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test(.needs(JanusServer.obstacle)) func `a certificate that has run out is refused`() async throws {
        let (folder, files) = (try TemporaryFolder(), try TemporaryFolder())
        let authority = try TestAuthority(files.path)
        let server = try await JanusServer(
            folder, certificate: try authority.issue(["IP:127.0.0.1"], hasRunOut: true))
        do {
            try await connect("wss://127.0.0.1:\(server.securePort)/", authorities: authority.certificate)
            Issue.record("a certificate that has run out was taken")
        } catch let error as SFUError {
            guard case .certificate(let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(reason.contains("expired"))
        }
    }
}
