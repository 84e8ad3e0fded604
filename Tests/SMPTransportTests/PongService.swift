import Foundation
import SMP
import Synchronization

@testable import SMPSession
@testable import SMPTransport

/// A server that answers each PING and tells what it saw.
final class PongService: ServerSessionHandler {
    let ended = Mutex<[TransportError]>([])
    let started = Mutex<[ServerSession]>([])
    /// Whether PINGs are answered.
    let answers: Bool

    init(answers: Bool = true) { self.answers = answers }

    func sessionStarted(_ session: ServerSession) { started.withLock { $0.append(session) } }

    func session(_ session: ServerSession, received payload: Result<[UInt8], SMPDecodingError>) {
        guard answers, let payload = try? payload.get(),
            let transmissions = try? Batch.transmissions(payload, version: session.version)
        else { return }
        let responses = transmissions.compactMap { result -> [UInt8]? in
            guard let request = try? result.get() else { return nil }
            return try? Transmission(
                .pong, correlationID: request.correlationID, entityID: .none, version: session.version
            ).encoded(session.version)
        }
        session.send((try? Batch.pack(responses)) ?? [])
    }

    func sessionEnded(_ session: ServerSession, reason: TransportError) { ended.withLock { $0.append(reason) } }
}

/// A listener on loopback for the length of one test.
func withListener(
    certificates: RelayCertificates? = nil, versions: SMPVersionRange = TransportConfiguration.defaultVersions,
    tls: TLSOptions = TLSOptions(), service: PongService = PongService(), tlsTimeout: Duration = .seconds(60),
    maximumConnections: Int = 100, _ body: (RelayAddress, Listener) async throws -> Void
) async throws {
    let certificates = try certificates ?? RelayCertificates.make(host: "localhost")
    let listener = Listener(
        configuration: ListenerConfiguration(
            host: "127.0.0.1", port: 0, certificates: certificates, versions: versions, tls: tls,
            tlsTimeout: tlsTimeout,
            ledger: ConnectionLedger(limits: ConnectionLimits(total: maximumConnections))),
        sessions: service)
    let port = try await listener.start()
    do {
        try await body(
            RelayAddress(hosts: ["127.0.0.1"], port: port, keyHash: certificates.fingerprint), listener)
    } catch {
        await listener.stop()
        throw error
    }
    await listener.stop()
}
