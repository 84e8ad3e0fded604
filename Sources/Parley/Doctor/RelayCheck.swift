import BaseKit
import SMP
import SMPSession
import SMPTransport

/// Connects to a relay as a profile does, without a queue: TCP, TLS with its fingerprint, hello, version, PING.
struct RelayCheck {
    let text: String
    let configuration: TransportConfiguration

    init(_ text: String, configuration: TransportConfiguration = TransportConfiguration()) {
        (self.text, self.configuration) = (text, configuration)
    }

    func finding() async -> Finding {
        let address: RelayAddress
        do {
            address = try RelayAddress(parsing: text)
        } catch {
            return Finding(.relay, .problem, .relayAddress(text))
        }
        let name = address.withoutPassword.text
        let begin = Instant.now
        do throws(TransportError) {
            let connection = try await RelayConnection.connect(to: address, configuration: configuration)
            let connected = Instant.now
            let answer: Result<BrokerMessage, RelayRequestError>
            do throws(RelayRequestError) {
                answer = .success(try await connection.request(RelayRequest(.ping)))
            } catch {
                answer = .failure(error)
            }
            let answered = Instant.now
            await connection.close()
            return Self.finding(
                name, version: connection.version, answer, connecting: connected - begin,
                answering: answered - connected)
        } catch {
            return Finding(.relay, of: name, .problem, .relayUnreachable(error))
        }
    }

    static func finding(
        _ name: String, version: SMPVersion, _ answer: Result<BrokerMessage, RelayRequestError>,
        connecting: Duration, answering: Duration
    ) -> Finding {
        guard case .success(.pong) = answer else {
            return Finding(.relay, of: name, .problem, .relaySilent(version: Int(version.rawValue)))
        }
        let hasShortLinks = version >= .shortLinks
        return Finding(
            .relay, of: name, hasShortLinks ? .ok : .warning,
            .relay(
                version: Int(version.rawValue), connecting: Int(connecting.wholeMilliseconds),
                answering: Int(answering.wholeMilliseconds), hasShortLinks: hasShortLinks))
    }
}
