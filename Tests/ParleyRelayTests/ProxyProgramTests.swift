import Foundation
import SMP
import SMPSession
import SMPTransport
import Testing

/// Runs the built program as a proxy.
@Suite(.timeLimit(.minutes(5))) struct ProxyProgramTests {
    @Test func `it forwards only when it is told to`() async throws {
        try await withState { state in
            let proxy = try RelayProcess([
                "--listen", "127.0.0.1:0", "--state", state + "/proxy", "--proxy", "--proxy-local",
            ])
            let other = try RelayProcess(["--listen", "127.0.0.1:0", "--state", state + "/other"])
            let (near, far) = (try proxy.address(), try other.address())
            let versions = TransportConfiguration.defaultVersions
            let connection = try await RelayConnection.connect(to: near)
            let relay = try await connection.openProxySession(to: far, versions: versions)
            #expect(relay.version == versions.max)
            await #expect(throws: ProxiedRequestError.refused(.authentication)) {
                try await connection.request(
                    RelayRequest(.send(notify: false, body: [1]), entity: .random()), through: relay)
            }
            let back = try await RelayConnection.connect(to: far)
            await #expect(throws: ProxiedRequestError.notForwarding) {
                try await back.openProxySession(to: near, versions: versions)
            }
            proxy.end(SIGTERM)
            other.end(SIGTERM)
            #expect(proxy.exitStatus == 0)
        }
    }
}
