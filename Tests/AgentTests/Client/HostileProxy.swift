import Cryptography
import Logging
import SMP
import SMPTransport
import Synchronization

@testable import Relay
@testable import RelayRules
@testable import SMPSession

/// A relay that keeps queues as it should, and cheats where it forwards.
final class HostileProxy: ServerSessionHandler {
    /// How it cheats.
    enum Deceit: Sendable {
        /// Not at all.
        case none
        /// Shows certificates and a key of its own.
        case ownKey
        /// Shows the relay's certificates with a key of its own.
        case ownKeyUnderTheirCertificate
        /// Changes a byte of each command.
        case changedCommand
        /// Changes a byte of each answer.
        case changedAnswer
        /// Answers each command with the relay's first answer, and hands nothing on.
        case replayedAnswer
        /// Hands each command on twice.
        case repeatedCommand
    }

    let address: RelayAddress
    private let relay: RelayService
    private let listener: Listener
    private let certificates: RelayCertificates
    private let state: Mutex<State>

    private struct State {
        var deceit: Deceit
        var destination: RelayConnection?
        var firstAnswer: [UInt8]?
    }

    init(_ deceit: Deceit) async throws {
        let certificates = try RelayCertificates.make(host: "localhost")
        let core = RelayCore { 1_700_000_000 }
        let relay = RelayService(core: core, logger: Logger(label: "hostile"))
        let state = Mutex(State(deceit: deceit))
        self.certificates = certificates
        self.relay = relay
        self.state = state
        let entrance = Entrance()
        listener = Listener(
            configuration: ListenerConfiguration(host: "127.0.0.1", port: 0, certificates: certificates),
            sessions: entrance)
        address = try RelayAddress(
            hosts: ["127.0.0.1"], port: try await listener.start(), keyHash: certificates.fingerprint)
        entrance.owner.withLock { $0 = self }
    }

    func cheat(_ deceit: Deceit) { state.withLock { $0.deceit = deceit } }

    func stop() async {
        await listener.stop()
        await state.withLock { $0.destination }?.close()
    }

    func sessionStarted(_ session: ServerSession) { relay.sessionStarted(session) }

    func sessionEnded(_ session: ServerSession, reason: TransportError) {
        relay.sessionEnded(session, reason: reason)
    }

    func session(_ session: ServerSession, received payload: Result<[UInt8], SMPDecodingError>) {
        guard let bytes = try? payload.get(),
            case .success(let transmission)? = try? Batch.transmissions(bytes, version: session.version).first,
            let command = try? Command(decoding: transmission.command, version: session.version)
        else { return relay.session(session, received: payload) }
        switch command {
        case .openProxySession, .forwardToProxy:
            Task { await answer(command, transmission, session) }
        default: relay.session(session, received: payload)
        }
    }

    private func answer(_ command: Command, _ request: Transmission, _ session: ServerSession) async {
        let message: BrokerMessage
        do {
            switch command {
            case .openProxySession(let address, _): message = .proxySession(try await open(address))
            case .forwardToProxy(let command):
                message = .proxyResponse(try await forward(command, request.correlationID))
            default: return
            }
        } catch RelayRequestError.refused(let error) {
            message = .error(.proxy(.relay(error)))
        } catch {
            message = .error(.proxy(.broker(.network(nil))))
        }
        let answer = try? Transmission(
            message, correlationID: request.correlationID, entityID: request.entityID, version: session.version)
        guard let encoded = try? answer?.encoded(session.version), let payload = try? Batch.encode([encoded]) else {
            return
        }
        session.send([payload])
    }

    private func open(_ address: RelayAddress) async throws -> ProxySession {
        var configuration = TransportConfiguration()
        configuration.isProxy = true
        let connection = try await RelayConnection.connect(to: address, configuration: configuration)
        guard let details = connection.forwarding else { throw TransportError.closed }
        let deceit = state.withLock { state in
            state.destination = connection
            return state.deceit
        }
        var key = details.key
        let own = try SignedKey(.x25519(X25519.PrivateKey().publicKey), signedBy: certificates.serverKey)
        switch deceit {
        case .ownKey: key = CertifiedKey(chain: certificates.chain.certificates, signedKey: own)
        case .ownKeyUnderTheirCertificate: key.signedKey = own
        default: break
        }
        return ProxySession(sessionID: connection.sessionID, versions: details.versions, key: key)
    }

    private func forward(_ command: ProxiedCommand, _ clientID: CorrelationID) async throws -> [UInt8] {
        let (connection, deceit, replayed) = state.withLock { ($0.destination, $0.deceit, $0.firstAnswer) }
        guard let connection, let secret = connection.forwarding?.secret else { throw TransportError.closed }
        if deceit == .replayedAnswer, let replayed { return replayed }
        var command = command
        if deceit == .changedCommand { command.sealed[40] ^= 1 }
        var answers: [[UInt8]] = []
        for _ in 0..<(deceit == .repeatedCommand ? 2 : 1) {
            let exchange = try ForwardedExchange(command, clientID: clientID, secret: secret)
            guard case .relayResponse(let sealed) = try await connection.request(exchange.request) else {
                throw TransportError.block
            }
            answers.append(try exchange.open(sealed))
        }
        guard var answer = answers.first else { throw TransportError.block }
        state.withLock { $0.firstAnswer = $0.firstAnswer ?? answer }
        if deceit == .changedAnswer { answer[40] ^= 1 }
        return answer
    }

    /// What the listener talks to before the object is complete.
    private final class Entrance: ServerSessionHandler {
        let owner = Mutex<HostileProxy?>(nil)

        func sessionStarted(_ session: ServerSession) { owner.withLock { $0 }?.sessionStarted(session) }

        func session(_ session: ServerSession, received payload: Result<[UInt8], SMPDecodingError>) {
            owner.withLock { $0 }?.session(session, received: payload)
        }

        func sessionEnded(_ session: ServerSession, reason: TransportError) {
            owner.withLock { $0 }?.sessionEnded(session, reason: reason)
        }
    }
}
