import SMP
import SMPSession
import SMPTransport

/// Connects to a relay as a profile does, without a queue: TCP, TLS with its fingerprint, hello, version, PING.
struct RelayCheck {
    let text: String

    init(_ text: String) { self.text = text }

    func finding() async -> Finding {
        let address: RelayAddress
        do {
            address = try RelayAddress(text: text)
        } catch {
            return Finding(
                .relay, .problem, "\(AccountError.relayAddress(text))", advice: "Copy the relay's whole address anew.")
        }
        let name = address.withoutPassword.text
        let begin = ContinuousClock.now
        do throws(TransportError) {
            let connection = try await RelayConnection.connect(to: address)
            let connected = ContinuousClock.now
            let answer: Result<BrokerMessage, RelayRequestError>
            do throws(RelayRequestError) {
                answer = .success(try await connection.request(RelayRequest(.ping)))
            } catch {
                answer = .failure(error)
            }
            let answered = ContinuousClock.now
            await connection.close()
            return Self.finding(
                name, version: connection.version, answer, connecting: connected - begin,
                answering: answered - connected)
        } catch {
            return Finding(.relay, of: name, .problem, error.description, advice: error.advice)
        }
    }

    static func finding(
        _ name: String, version: SMPVersion, _ answer: Result<BrokerMessage, RelayRequestError>,
        connecting: Duration, answering: Duration
    ) -> Finding {
        guard case .success(.pong) = answer else {
            return Finding(
                .relay, of: name, .problem, "The relay greets with SMP \(version.rawValue) but does not answer PING.",
                advice: "Try again later, or use another relay.")
        }
        let (connected, answered) = (Int(connecting / .milliseconds(1)), Int(answering / .milliseconds(1)))
        let times = "connected in \(connected) ms, PING in \(answered) ms"
        guard version >= .shortLinks else {
            return Finding(
                .relay, of: name, .warning,
                "The relay speaks SMP \(version.rawValue) (\(times)), which has no short links.",
                advice: "Calls work; whoever runs the relay may update it.")
        }
        return Finding(.relay, of: name, .ok, "The relay speaks SMP \(version.rawValue) (\(times)).")
    }
}

extension TransportError {
    fileprivate var advice: String {
        switch self {
        case .hostUnreachable, .timeout, .socket, .closedByPeer, .silent:
            "Check the network, the relay's address and its port, and that no firewall lies between."
        case .wrongFingerprint: "Get the relay's address anew from who runs it; somebody else may answer in its place."
        case .badCertificate(.validityDates): "Check this machine's date and time; else tell who runs the relay."
        case .version: "Update Parley, or use another relay."
        case .noReachableHost: "Ask who runs the relay for an address with a host name."
        case .badCertificate, .tls, .noApplicationProtocol, .hello, .block, .protocolViolation:
            "Check that host and port are those of an SMP relay; else tell who runs it."
        case .closed, .credentials, .cannotListen, .storage: "Try again."
        }
    }
}
