import Cryptography
import Logging
import SMP
import SMPTransport
import Synchronization

@testable import Relay
@testable import RelayRules
@testable import SMPSession

/// A relay that keeps queues as it should, and sends more than it may on those that somebody subscribes to.
final class HostileRelay: ServerSessionHandler {
    let address: RelayAddress
    private let relay: RelayService
    private let listener: Listener
    private let state = Mutex(State())

    private struct State {
        /// Queues that were made or subscribed to, with who did.
        var subscribers: [EntityID: ServerSession] = [:]
        var sessions = 0
    }

    init() async throws {
        let certificates = try RelayCertificates.make(host: "localhost")
        relay = RelayService(
            core: RelayCore { 1_700_000_000 }, logger: Logger(label: "hostile"))
        let entrance = Entrance()
        listener = Listener(
            configuration: ListenerConfiguration(host: "127.0.0.1", port: 0, certificates: certificates),
            sessions: entrance)
        address = try RelayAddress(
            hosts: ["127.0.0.1"], port: try await listener.start(), keyHash: certificates.fingerprint)
        entrance.owner.withLock { $0 = self }
    }

    /// How many connections there have been.
    var sessionCount: Int { state.withLock { $0.sessions } }

    /// The queues that were subscribed to by command.
    var subscribed: [EntityID] { state.withLock { Array($0.subscribers.keys) } }

    /// Sends events about each queue that is subscribed to.
    func send(_ messages: @Sendable (EntityID) -> [BrokerMessage]) {
        for (queue, session) in state.withLock({ $0.subscribers }) { send(messages(queue), about: queue, session) }
    }

    /// Sends events about a queue of nobody to every session that subscribed to something.
    func sendAboutNothing(_ messages: [BrokerMessage]) {
        for (_, session) in state.withLock({ $0.subscribers }) { send(messages, about: .random(), session) }
    }

    private func send(_ messages: [BrokerMessage], about queue: EntityID, _ session: ServerSession) {
        let transmissions = messages.compactMap { message in
            try? Transmission(message, correlationID: .none, entityID: queue, version: session.version)
                .encoded(session.version)
        }
        session.send((try? Batch.pack(transmissions)) ?? [])
    }

    func stop() async { await listener.stop() }

    func sessionStarted(_ session: ServerSession) {
        state.withLock { $0.sessions += 1 }
        relay.sessionStarted(session)
    }

    func sessionEnded(_ session: ServerSession, reason: TransportError) {
        state.withLock { state in
            state.subscribers = state.subscribers.filter { $0.value.number != session.number }
        }
        relay.sessionEnded(session, reason: reason)
    }

    func session(_ session: ServerSession, received payload: Result<[UInt8], SMPDecodingError>) {
        for case .success(let transmission) in (try? payload.get()).flatMap({
            try? Batch.transmissions($0, version: session.version)
        }) ?? [] {
            guard (try? Command(decoding: transmission.command, version: session.version)) == .subscribe else {
                continue
            }
            state.withLock { $0.subscribers[transmission.entityID] = session }
        }
        relay.session(session, received: payload)
    }

    /// What the listener talks to before the object is complete.
    private final class Entrance: ServerSessionHandler {
        let owner = Mutex<HostileRelay?>(nil)

        func sessionStarted(_ session: ServerSession) { owner.withLock { $0 }?.sessionStarted(session) }

        func session(_ session: ServerSession, received payload: Result<[UInt8], SMPDecodingError>) {
            owner.withLock { $0 }?.session(session, received: payload)
        }

        func sessionEnded(_ session: ServerSession, reason: TransportError) {
            owner.withLock { $0 }?.sessionEnded(session, reason: reason)
        }
    }
}
