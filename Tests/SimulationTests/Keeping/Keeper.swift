import Cryptography
import SMP

@testable import SMPSession

/// Somebody who keeps queues with short links at a relay, and remembers what the relay confirmed. Where an answer was lost it
/// remembers both. On its world's thread only.
final class Keeper {
    /// What may be true of one queue.
    struct Belief: Hashable {
        var exists = true
        /// The user's part of the link's data; nil without a link.
        var data: [UInt8]?
    }

    struct Sent {
        let body: [UInt8]
        /// When it was sent, and when that was confirmed, if it was; in seconds.
        let begun: Int64
        var confirmed: Int64?
    }

    final class Kept {
        let ids: QueueIDs
        let key: AuthenticationPrivateKey
        let secret: SecretBytes
        let linkID = EntityID.random()
        var beliefs: Set<Belief> = [Belief()]
        var sent: [Sent] = []
        /// Something is asked about it, or an answer was lost and the question may still be on its way.
        var isBusy = false

        init(_ ids: QueueIDs, _ key: AuthenticationPrivateKey, _ secret: SecretBytes) {
            (self.ids, self.key, self.secret) = (ids, key, secret)
        }
    }

    /// After a lost answer nothing is asked for so long: no block is longer on its way.
    private static let silence: Int64 = 400_000

    let network: Network
    let line: LineState
    private(set) var kept: [Kept] = []
    private var lastBody = 0

    init(_ relay: SimulatedRelay, network: Network) {
        self.network = network
        line = LineState(to: relay, network.scheduler)
        line.start()
    }

    var isIdle: Bool { kept.allSatisfy { !$0.isBusy } }

    private var seconds: Int64 { network.scheduler.now / 1_000 }

    // MARK: What it does

    func make() {
        guard kept.count < 5 else { return }
        let key = AuthenticationPrivateKey.ed25519(.init())
        let agreement = X25519.PrivateKey()
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: agreement.publicKey, subscribes: false, link: .contact(nil))
        line.submit([RelayRequest(.new(request), key: key)]) { [self] results in
            guard case .success(.queue(let ids))? = results.first,
                let secret = try? agreement.sharedSecret(with: ids.serverKey)
            else { return }
            kept.append(Kept(ids, key, secret))
        }
    }

    func setLink() {
        guard let queue = pick() else { return }
        let data = newBody()
        let command = Command.setLinkData(linkID: queue.linkID, LinkData(fixed: [1], user: data))
        change(queue, command) { $0.data = data }
    }

    func deleteLink() { if let queue = pick() { change(queue, .deleteLinkData) { $0.data = nil } } }

    func deleteQueue() { if let queue = pick() { change(queue, .delete) { $0 = Belief(exists: false) } } }

    func send() {
        guard let queue = pick() else { return }
        let body = newBody()
        let index = queue.sent.count
        queue.sent.append(Sent(body: body, begun: seconds))
        ask(queue, RelayRequest(.send(notify: false, body: body), entity: queue.ids.senderID)) { [self] answer in
            switch answer {
            case .success(.ok): queue.sent[index].confirmed = seconds
            case .failure(.refused(.authentication)): expect(queue, "is gone") { !$0.exists }
            case .failure(.refused(.quota)): break
            case .success, .failure: network.complain("SEND was answered \(answer)")
            }
        }
    }

    /// Anybody reads the link.
    func getLink(_ queue: Kept? = nil) {
        guard let queue = queue ?? pick() else { return }
        ask(queue, RelayRequest(.getLink, entity: queue.linkID)) { [self] answer in
            switch answer {
            case .success(.link(let sender, let data)):
                if sender != queue.ids.senderID { network.complain("a link leads to another queue") }
                expect(queue, "has the link data \(data.user)") { $0.exists && $0.data == data.user }
            case .failure(.refused(.authentication)): expect(queue, "has no link") { !$0.exists || $0.data == nil }
            case .success, .failure: network.complain("LGET was answered \(answer)")
            }
        }
    }

    // MARK: What it knows

    private func pick() -> Kept? {
        let free = kept.filter { !$0.isBusy }
        return free.isEmpty ? nil : free[network.scheduler.number(0...free.count - 1)]
    }

    private func newBody() -> [UInt8] {
        lastBody += 1
        return [UInt8(lastBody >> 8), UInt8(lastBody & 0xFF)]
    }

    private func change(_ queue: Kept, _ command: Command, _ body: @escaping (inout Belief) -> Void) {
        let before = queue.beliefs
        let after = Set(
            before.map { belief in
                var belief = belief
                if belief.exists { body(&belief) }
                return belief
            })
        // Until it is answered, and for good if it is not, both may be true.
        queue.beliefs = before.union(after)
        ask(queue, RelayRequest(command, entity: queue.ids.recipientID, key: queue.key)) { [self] answer in
            switch answer {
            case .success(.ok): queue.beliefs = after
            case .failure(.refused(.authentication)):
                queue.beliefs = before
                expect(queue, "is gone") { !$0.exists }
            case .success, .failure: network.complain("\(command.tag) was answered \(answer)")
            }
        }
    }

    /// Leaves of what may be true what fits an answer.
    private func expect(_ queue: Kept, _ what: String, _ fits: (Belief) -> Bool) {
        let left = queue.beliefs.filter(fits)
        if left.isEmpty { network.complain("a queue \(what), but was \(queue.beliefs)") } else { queue.beliefs = left }
    }

    private func ask(
        _ queue: Kept, _ request: RelayRequest, _ heard: @escaping (Result<BrokerMessage, RelayRequestError>) -> Void
    ) {
        queue.isBusy = true
        line.submit([request]) { [self] results in
            let result = results.first ?? .failure(.unexpectedResponse)
            switch result {
            case .failure(.notConnected): queue.isBusy = false
            case .failure(.interrupted), .failure(.timeout):
                network.scheduler.after(Self.silence) { queue.isBusy = false }
            case .success, .failure:
                queue.isBusy = false
                heard(result)
            }
        }
    }

    // MARK: The end

    /// Fetches what a queue holds, and calls `done` with the bodies.
    func fetch(_ queue: Kept, _ bodies: [[UInt8]] = [], _ done: @escaping ([[UInt8]]?) -> Void) {
        line.submit([RelayRequest(.get, entity: queue.ids.recipientID, key: queue.key)]) { [self] results in
            switch results.first {
            case .success(.message(let id, let sealed))?:
                guard let body = try? MessageBody(opening: sealed, secret: queue.secret, id: id).sent else {
                    return network.complain("a message can't be read")
                }
                let next = RelayRequest(.acknowledge(id), entity: queue.ids.recipientID, key: queue.key)
                line.submit([next]) { [self] _ in fetch(queue, bodies + [body], done) }
            case .success(.ok)?: done(bodies)
            case .failure(.refused(.authentication))?: done(nil)
            case let answer: network.complain("GET was answered \(String(describing: answer))")
            }
        }
    }
}

extension MessageBody {
    /// What was sent; nil for the marker of a full queue.
    fileprivate var sent: [UInt8]? { if case .message(_, _, let body) = self { body } else { nil } }
}
