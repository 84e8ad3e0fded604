import Cryptography
import RelaySettings
import SMP
import SMPSession

@testable import RelayRules

extension FuzzTarget {
    /// The relay behind its hellos.
    static let relay: [FuzzTarget] = [
        FuzzTarget(name: "relay-payload", run: relayPayload),
        FuzzTarget(name: "relay-commands", run: relayCommands),
        FuzzTarget(name: "proxied-response", run: proxiedResponse),
        FuzzTarget(name: "metrics-request", run: metricsRequest),
        FuzzTarget(name: "control-request", run: controlRequest),
        FuzzTarget(name: "relay-settings", run: relaySettings),
    ]

    /// One payload of any content in a relay with a few queues.
    private static func relayPayload(_ input: [UInt8]) throws {
        var town = try RelayTown(isProxy: (input.first ?? 0) & 0x80 != 0)
        for session in 0..<RelayTown.sessionCount { try town.makeQueue(session, contact: session == 1) }
        try town.payload(Array(input.dropFirst()), session: Int((input.first ?? 0) & 0x7F) % RelayTown.sessionCount)
        try town.check()
    }

    /// What another relay answers to a proxy: as it is, and sealed with the right secret.
    private static func proxiedResponse(_ input: [UInt8]) throws {
        let secret = SecretBytes([UInt8](repeating: 7, count: 32))
        let id = CorrelationID([UInt8](repeating: 9, count: CorrelationID.count))
        let command = ProxiedCommand(version: 14, key: fixedKey(1).publicKey, sealed: [1])
        let exchange = try ForwardedExchange(command, clientID: id, secret: secret, correlationID: id)
        try require((try? exchange.open(input)) == nil, "a response that nobody sealed was taken")
        for content in [input, [UInt8(CorrelationID.count)] + id.bytes + input] {
            let sealed = ProxyLayers.sealOuter(content, secret: secret, correlationID: id, .response)
            guard let response = try? exchange.open(sealed) else { continue }
            let request = ProxyRequest(
                session: 1, version: 14, correlationID: id,
                content: .forward(sessionID: Array(input.prefix(32)), command))
            try require(!request.payload(.proxyResponse(response)).isEmpty, "a forwarded command has no answer")
        }
    }

    /// A line of an operator: what is read is written and read as the same.
    private static func controlRequest(_ input: [UInt8]) throws {
        guard let request = try? ControlRequest(line: String(decoding: input, as: UTF8.self)) else { return }
        try require(request.line.utf8.count <= ControlRequest.maximumLength, "a request is too long to be sent")
        let again = try mustSucceed("a written request is read") { try ControlRequest(line: request.line) }
        try require(again == request, "a request that is written and read is another one")
    }

    /// A configuration file: settings whose numbers can be, or a fault in one line.
    private static func relaySettings(_ input: [UInt8]) throws {
        let settings: Settings
        do throws(SettingsError) {
            settings = try SettingsFile.parse(String(decoding: input, as: UTF8.self), file: "f")
        } catch {
            return try require(!error.description.isEmpty, "a fault has no words")
        }
        try mustSucceed("what was read is in its range") { try settings.check() }
        try require(settings.over(Settings()) == settings, "settings over nothing are others")
        try require(Settings().over(settings) == settings, "settings under nothing are others")
    }

    /// A request to the page with figures, at once and byte by byte.
    private static func metricsRequest(_ input: [UInt8]) throws {
        var whole = MetricsRequest()
        let outcome = whole.receive(input)
        var pieces = MetricsRequest()
        for byte in input {
            let piece = pieces.receive([byte])
            guard piece == .incomplete else {
                return try require(piece == outcome, "a request in pieces is another one")
            }
        }
        try require(outcome == .incomplete, "a request in pieces is another one")
    }

    /// Commands in the order the input says, by clients that know their keys, mostly.
    private static func relayCommands(_ input: [UInt8]) throws {
        var input = FuzzInput(input)
        var town = try RelayTown()
        for _ in 0..<48 where !input.isAtEnd { try town.step(&input) }
        try town.check()
    }
}

/// A relay, three sessions and what their owners know of the queues.
struct RelayTown {
    static let sessionCount = 3
    private static let versions: [SMPVersion] = [9, 14, 17]

    private struct Queue {
        let ids: QueueIDs
        let recipientKey: AuthenticationPrivateKey
        let senderKey: AuthenticationPrivateKey
        let secret: SecretBytes
        /// Accepted and not acknowledged, in their order.
        var bodies: [[UInt8]] = []
        /// The id of the first of them, once it was delivered.
        var head: MessageID?
        var isDeleted = false
    }

    private let core: RelayCore
    private let contexts: [SessionContext]
    private let keys: [AuthenticationPrivateKey]
    private var queues: [Queue] = []
    private var count: UInt8 = 0

    init(isProxy: Bool = false) throws {
        core = RelayCore(quota: 4, isProxy: isProxy, entropy: .counting()) { 1_700_000_000 }
        contexts = (0..<Self.sessionCount).map { number in
            SessionContext(
                number: SessionNumber(number + 1), version: Self.versions[number],
                sessionID: [UInt8](repeating: UInt8(number), count: 32), key: SessionKey(fixedKey(11)),
                secret: SecretBytes([UInt8](repeating: 12, count: 32)))
        }
        keys = [
            .ed25519(try Ed25519.PrivateKey(rawRepresentation: SecretBytes([UInt8](repeating: 1, count: 32)))),
            .x25519(fixedKey(2)),
            .ed25519(try Ed25519.PrivateKey(rawRepresentation: SecretBytes([UInt8](repeating: 3, count: 32)))),
        ]
    }

    mutating func makeQueue(_ session: Int, contact: Bool, notifier: Bool = false, data: Bool = false) throws {
        let key = keys[queues.count % keys.count]
        let agreement = fixedKey(20)
        count &+= 1
        let id = CorrelationID([UInt8](repeating: count, count: CorrelationID.count))
        let linkData = LinkData(fixed: [1], user: [2])
        let sender = EntityID.sender(for: id)
        let linkID = EntityID([UInt8](repeating: count, count: EntityID.count))
        let hasData = data && Self.versions[session] >= .shortLinks
        let link: QueueRequest.Link =
            contact
            ? .contact(hasData ? .init(linkID: linkID, senderID: sender, data: linkData) : nil)
            : .messaging(hasData ? .init(senderID: sender, data: linkData) : nil)
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: agreement.publicKey, subscribes: count % 2 == 0, link: link,
            notifier: notifier && Self.versions[session] >= .notifierInNew
                ? NotifierKeys(authenticationKey: keys[0].publicKey, agreementKey: agreement.publicKey) : nil)
        let answers = try ask(.new(request), .none, key, session: session, id: id)
        guard case .queue(let ids)? = answers else { throw FuzzViolation(description: "no queue was made") }
        queues.append(
            Queue(
                ids: ids, recipientKey: key, senderKey: keys[(queues.count + 1) % keys.count],
                secret: try agreement.sharedSecret(with: ids.serverKey)))
    }

    mutating func step(_ input: inout FuzzInput) throws {
        let session = input.choice(Self.sessionCount)
        let operation = input.choice(20)
        if operation == 0 || queues.isEmpty {
            let options = input.byte()
            guard queues.count < 8 else { return }
            return try makeQueue(session, contact: options & 1 != 0, notifier: options & 2 != 0, data: options & 4 != 0)
        }
        if operation == 1 {
            let count = input.word16()
            try payload(input.bytes(count), session: session)
            return
        }
        if operation == 2 {
            core.withStore { $0.endSession(SessionNumber(session + 1)) }
            return
        }
        let index = input.choice(queues.count)
        let queue = queues[index]
        let version = Self.versions[session]
        let recipient = queue.ids.recipientID
        let link = queue.ids.linkID ?? EntityID([UInt8](repeating: input.byte(), count: EntityID.count))
        let key = input.choice(8) == 0 ? keys[input.choice(keys.count)] : queue.recipientKey
        switch operation {
        case 3, 4: try ask(.subscribe, recipient, key, session: session)
        case 5: try ask(.get, recipient, key, session: session)
        case 6, 7, 8: try acknowledge(index, key, session: session, knows: input.choice(4) != 0)
        case 9: try ask(.setSenderKey(queue.senderKey.publicKey), recipient, key, session: session)
        case 10: try ask(.secure(queue.senderKey.publicKey), queue.ids.senderID, queue.senderKey, session: session)
        case 11, 12, 13: try send(index, signed: input.choice(2) == 0, count: input.byte(), session: session)
        case 14: try ask(input.choice(4) == 0 ? .delete : .suspend, recipient, key, session: session)
        case 15 where version >= .shortLinks:
            let data = LinkData(fixed: [1], user: input.bytes(4))
            try ask(.setLinkData(linkID: link, data), recipient, key, session: session)
        case 16 where version >= .shortLinks:
            try ask(.secureAndGetLink(queue.senderKey.publicKey), link, queue.senderKey, session: session)
            try ask(.getLink, link, nil, session: session)
        case 17 where version >= .shortLinks:
            try ask(
                input.choice(2) == 0 ? .deleteLinkData : .setRecipientKeys([queue.recipientKey.publicKey]), recipient,
                key, session: session)
        case 18:
            let keys = NotifierKeys(authenticationKey: keys[0].publicKey, agreementKey: fixedKey(20).publicKey)
            try ask(input.choice(2) == 0 ? .setNotifier(keys) : .deleteNotifier, recipient, key, session: session)
        default: try ask(.queueInfo, recipient, key, session: session)
        }
    }

    private mutating func send(_ index: Int, signed: Bool, count: UInt8, session: Int) throws {
        let queue = queues[index]
        let body = [UInt8](repeating: self.count, count: Int(count))
        // A delivery that this leads to is checked against the list, so it is there before.
        queues[index].bodies.append(body)
        let answer = try ask(
            .send(notify: false, body: body), queue.ids.senderID, signed ? queue.senderKey : nil, session: session)
        if answer != .ok { queues[index].bodies.removeLast() }
    }

    private mutating func acknowledge(
        _ index: Int, _ key: AuthenticationPrivateKey, session: Int, knows: Bool
    ) throws {
        let queue = queues[index]
        let id = knows ? queue.head ?? MessageID([1]) : MessageID([])
        let before = queue.bodies.count
        if knows, queue.head != nil, holdsDelivery(queue, id, session), key == queue.recipientKey {
            if !isMarker(queue) { queues[index].bodies.removeFirst() }
            queues[index].head = nil
        }
        let answer = try ask(.acknowledge(id), queue.ids.recipientID, key, session: session)
        if case .error? = answer {
            try require(queues[index].bodies.count == before, "a message was delivered and can't be acknowledged")
        }
    }

    private func holdsDelivery(_ queue: Queue, _ id: MessageID, _ session: Int) -> Bool {
        core.withStore { $0.sessions[SessionNumber(session + 1)]?[queue.ids.recipientID]?.delivered == id }
            && core.withStore { $0.queues[queue.ids.recipientID]?.messages.first?.id == id }
    }

    private func isMarker(_ queue: Queue) -> Bool {
        core.withStore { $0.queues[queue.ids.recipientID]?.messages.first?.isMarker ?? false }
    }

    /// Asks one thing; the answer, which has to be there.
    @discardableResult
    private mutating func ask(
        _ command: Command, _ entity: EntityID, _ key: AuthenticationPrivateKey?, session: Int, id: CorrelationID? = nil
    ) throws -> BrokerMessage? {
        count &+= 1
        let context = contexts[session]
        let transmission = try Transmission(
            command, correlationID: id ?? CorrelationID([UInt8](repeating: count, count: CorrelationID.count)),
            entityID: entity, version: context.version, sessionID: context.sessionID, key: key,
            serverKey: context.key.publicKey)
        let answers = try payload(Batch.encode([transmission.encoded(context.version)]), session: session)
        try require(answers.count == 1, "a command has \(answers.count) answers")
        if case .delete = command, answers.first == .ok {
            for index in queues.indices where queues[index].ids.recipientID == entity { queues[index].isDeleted = true }
        }
        return answers.first
    }

    /// Sends a payload; the answers, without events.
    @discardableResult
    mutating func payload(_ payload: [UInt8], session: Int) throws -> [BrokerMessage] {
        let context = contexts[session]
        let expected = (try? Batch.decode(payload).count) ?? 1
        let output = core.process(payload, session: context)
        var answers: [BrokerMessage] = []
        for payload in output.payloads {
            for transmission in try Batch.transmissions(payload, version: context.version) {
                let transmission = try mustSucceed("the relay's transmission is read") { try transmission.get() }
                let message = try mustSucceed("the relay's message is read") {
                    try BrokerMessage(decoding: transmission.command, version: context.version)
                }
                try observe(message, transmission.entityID)
                let isEvent = transmission.correlationID.isEmpty
                if isEvent, case .message = message { continue }
                answers.append(message)
            }
        }
        for push in output.pushes { try observe(push.reply.brokerMessage, push.entity) }
        let count = answers.count + output.forwards.count
        try require(count == expected, "\(expected) commands have \(count) answers")
        return answers
    }

    /// Messages come in their order, each until it is acknowledged.
    private mutating func observe(_ message: BrokerMessage, _ entity: EntityID) throws {
        guard case .message(let id, let sealed) = message,
            let index = queues.firstIndex(where: { $0.ids.recipientID == entity })
        else { return }
        let body = try mustSucceed("a message is opened by its recipient") {
            try MessageBody(opening: sealed, secret: queues[index].secret, id: id)
        }
        try require(!queues[index].isDeleted, "a deleted queue delivers")
        if let head = queues[index].head { try require(head == id, "a message overtook another one") }
        queues[index].head = id
        if case .message(_, _, let body) = body {
            try require(queues[index].bodies.first == body, "a message was lost, doubled or changed")
        }
    }

    /// The store's tables fit one another.
    func check() throws {
        let store = core.withStore { $0 }
        try store.checkTables()
        try require(
            store.queues.values.allSatisfy { $0.messages.count <= store.quota + 1 }, "a queue is over its quota")
    }
}

extension RelayEntropy {
    /// The same values in every run.
    fileprivate static func counting() -> RelayEntropy {
        let counter = Counter()
        return RelayEntropy(
            entityID: { EntityID(counter.next()) }, messageID: { MessageID(counter.next()) },
            agreement: { key in
                let own = fixedKey(13)
                return QueueAgreement(publicKey: own.publicKey, secret: try own.sharedSecret(with: key))
            })
    }

    // One town uses it, on one thread.
    private final class Counter: @unchecked Sendable {
        private var value: UInt64 = 0

        func next() -> [UInt8] {
            value += 1
            return [UInt8](repeating: 0xE0, count: 16) + withUnsafeBytes(of: value.bigEndian, Array.init)
        }
    }
}
