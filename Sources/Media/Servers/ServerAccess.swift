import BaseKit
import Cryptography
import Glibc
import MediaRules

/// The servers of one call, ready for webrtcbin: credentials made, tunnels listening.
///
/// Making it contacts nobody: a tunnel dials when webrtcbin comes to it.
final class ServerAccess: Sendable {
    /// What webrtcbin is to use.
    let addresses: [ICEServerAddress]
    /// Hosts of the TURN servers among them, for who is told of them.
    let relays: [String]
    /// Why servers were left out.
    let notices: [MediaNotice]
    /// Why a relay was left out.
    let failure: RelayServerError?
    private let tunnels: [TLSTunnel]

    /// Prepares `servers`. Of a relay-only call no STUN server hears: it could do nothing for it.
    ///
    /// `onFailure` is told once of each tunnel that fails, on a thread of its own.
    init(
        _ servers: [ICEServer], relayOnly: Bool, wallClock: Int64 = Int64(time(nil)),
        onFailure: @escaping @Sendable (RelayServerError) -> Void
    ) {
        var addresses: [ICEServerAddress] = []
        var relays: [String] = []
        var notices: [MediaNotice] = []
        var tunnels: [TLSTunnel] = []
        var failure: RelayServerError?
        for server in servers {
            do {
                let url = try ICEServerURL(server)
                guard url.scheme.isRelay || !relayOnly else { continue }
                let login = server.login(wallClock: wallClock)
                if url.scheme == .turns, let login {
                    let tunnel = try TLSTunnel(to: url, authorities: server.authorities, onFailure: onFailure)
                    tunnels.append(tunnel)
                    addresses.append(
                        ICEServerAddress(tunnel: tunnel.place, username: login.username, credential: login.password))
                } else if let address = ICEServerAddress(url, username: login?.username, credential: login?.password) {
                    addresses.append(address)
                }
                if url.scheme.isRelay { relays.append(url.place) }
            } catch {
                failure = failure ?? error as? RelayServerError
                notices.append(.failed(Cause(error)))
            }
        }
        (self.addresses, self.relays, self.notices, self.tunnels) = (addresses, relays, notices, tunnels)
        self.failure = failure
    }

    /// Prepares the servers of a call. Throws ``MediaError/relay(_:)`` when it may go only through relays and there is none.
    convenience init(
        ofCall servers: [ICEServer], relayOnly: Bool, onFailure: @escaping @Sendable (RelayServerError) -> Void
    ) throws(MediaError) {
        self.init(servers, relayOnly: relayOnly, onFailure: onFailure)
        guard relayOnly, relays.isEmpty else { return }
        throw .relay(failure ?? .noneConfigured)
    }

    deinit { close() }

    /// Ends the tunnels.
    func close() {
        for tunnel in tunnels { tunnel.close() }
    }
}
