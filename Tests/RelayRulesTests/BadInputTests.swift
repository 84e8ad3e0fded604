import Cryptography
import RelayFixtures
import SMP
import SMPSession
import TestSupport
import Testing

@testable import RelayRules

/// Bad input of every command, one fault a line; `docs/relay.md` has the same table.
@Suite(.timeLimit(.minutes(5))) struct BadInputTests {
    /// What is wrong.
    enum Fault: String, CaseIterable, Sendable {
        case truncated, trailing, wrongAuthenticator, wrongKindOfKey, noAuthenticator, unwantedAuthenticator
        case unknownEntity, noEntity, unwantedEntity, wrongOrder
    }

    /// One line of the table.
    struct Line: Sendable, CustomTestStringConvertible {
        let tag: CommandTag
        let fault: Fault
        /// Nil where the fault can't be made with the command.
        let error: SMPError?
        var testDescription: String { "\(tag.rawValue) \(fault.rawValue)" }
    }

    private static let syntax = SMPError.command(.syntax)
    private static let noAuthenticator = SMPError.command(.noAuthenticator)
    private static let hasAuthenticator = SMPError.command(.hasAuthenticator)
    private static let noEntity = SMPError.command(.noEntity)

    /// The table: for each command the errors in the order of `Fault.allCases`.
    static let table: [(CommandTag, [SMPError?])] = [
        // truncated, trailing, other key, other kind of key, no auth, auth, unknown, no entity, entity, order
        (
            .new,
            [syntax, syntax, .authentication, .authentication, noAuthenticator, nil, nil, nil, hasAuthenticator, nil]
        ),
        (.subscribe, [nil, syntax] + recipient + [.command(.prohibited)]),
        (.get, [nil, syntax] + recipient + [.command(.prohibited)]),
        (.acknowledge, [syntax, syntax] + recipient + [.noMessage]),
        (.setSenderKey, [syntax, syntax] + recipient + [.authentication]),
        (.setRecipientKeys, [syntax, syntax] + recipient + [.authentication]),
        (.setLinkData, [syntax, syntax] + recipient + [.authentication]),
        (.deleteLinkData, [nil, syntax] + recipient + [nil]),
        (.setNotifier, [syntax, syntax] + recipient + [nil]),
        (.deleteNotifier, [nil, syntax] + recipient + [nil]),
        (.suspend, [nil, syntax] + recipient + [nil]),
        (.delete, [nil, syntax] + recipient + [.authentication]),
        (.queueInfo, [nil, syntax] + recipient + [nil]),
        (.secure, [syntax, syntax] + recipient + [.authentication]),
        (
            .send,
            [
                syntax, nil, .authentication, .authentication, .authentication, .authentication, .authentication,
                noEntity, nil, .authentication,
            ]
        ),
        (.secureAndGetLink, [syntax, syntax] + recipient + [.authentication]),
        (.getLink, [nil, syntax, nil, nil, nil, hasAuthenticator, .authentication, noEntity, nil, .authentication]),
        (.subscribeNotifier, [nil, syntax] + recipient + [nil]),
        (.ping, [nil, syntax, nil, nil, nil, hasAuthenticator, nil, nil, hasAuthenticator, nil]),
        (.forwardToRelay, [.crypto, .crypto, nil, nil, nil, hasAuthenticator, nil, nil, hasAuthenticator, nil]),
        (
            .subscribeService,
            [
                nil, syntax, .command(.prohibited), .command(.prohibited), noAuthenticator, nil,
                .command(.prohibited), noAuthenticator, nil, nil,
            ]
        ),
        (
            .subscribeNotifierService,
            [nil, syntax, .service, .service, noAuthenticator, nil, .service, noAuthenticator, nil, nil]
        ),
    ]

    /// Commands of one queue with an authenticator: other key, other kind of key, no authenticator, unwanted
    /// authenticator, unknown entity, no entity, unwanted entity.
    private static let recipient: [SMPError?] = [
        .authentication, .authentication, noAuthenticator, nil, .authentication, noAuthenticator, nil,
    ]

    static let lines = table.flatMap { tag, errors in
        zip(Fault.allCases, errors).map { Line(tag: tag, fault: $0, error: $1) }
    }

    @Test func `the table has every command and fault`() {
        let tags = Set(Self.table.map(\.0))
        // A proxy's own commands are for the proxy's tests.
        #expect(Set(CommandTag.allCases).subtracting(tags) == [.openProxySession, .forwardToProxy])
        #expect(Self.table.allSatisfy { $0.1.count == Fault.allCases.count })
    }

    @Test(arguments: lines.filter { $0.error != nil })
    func `each fault gets its error and nothing else happens`(line: Line) throws {
        let world = try World()
        let before = world.state
        let payload = try world.payload(line)
        let answers = try world.answers(to: payload)
        #expect(answers.map(\.message) == [.error(try #require(line.error))])
        #expect(answers.map(\.correlationID) == [world.correlationID])
        if line.fault != .wrongOrder { #expect(world.state == before) }
        // The session goes on.
        #expect(try world.session.ask(.ping) == .pong)
    }

    @Test(arguments: CommandTag.allCases.filter { ![.openProxySession, .forwardToProxy].contains($0) })
    func `every prefix of a command is answered`(tag: CommandTag) throws {
        let world = try World()
        let whole = try world.good(tag).encoded(17)
        for length in 0..<whole.count {
            let answers = try world.answers(to: world.batch(Array(whole.prefix(length))))
            #expect(answers.count == 1)
        }
        #expect(try world.session.ask(.ping) == .pong)
    }

    @Test(arguments: CommandTag.allCases.filter { ![.openProxySession, .forwardToProxy].contains($0) })
    func `a command that fills the block is answered`(tag: CommandTag) throws {
        let world = try World()
        var transmission = try world.good(tag)
        transmission.command += [UInt8](repeating: 0x20, count: 16_000)
        let answers = try world.answers(to: world.batch(try transmission.encoded(17)))
        #expect(answers.count == 1)
        if tag == .forwardToRelay {
            #expect(answers.map(\.message) == [.error(.crypto)])
        } else if tag == .send {
            #expect(answers.map(\.message) == [.authenticationError])
        } else {
            #expect(answers.map(\.message) == [.error(Self.syntax)])
        }
    }

    @Test(arguments: [9, 11, 14, 15] as [UInt16]) func `the service slot belongs to its versions`(version: UInt16)
        throws
    {
        let session = CoreFixture().session(1, version: SMPVersion(rawValue: version))
        let queue = try session.makeQueue()
        let transmission = try session.transmission(.subscribe, queue.recipientID, queue.recipientKey)
        // Laid out for 17, the byte of the slot is read as the length of the correlation id.
        let payload = try Batch.encode([transmission.encoded(17)])
        let answers = try CoreFixtureAnswers.answers(session, payload)
        #expect(answers.count == 1)
        guard case .error = answers[0].message else {
            Issue.record("a transmission of another version was taken")
            return
        }
    }

    @Test func `new of another version is a syntax error`() throws {
        let fixture = CoreFixture()
        let key = AuthenticationPrivateKey.ed25519(.init())
        for (spoken, written) in [(9, 17), (14, 15), (15, 14), (15, 17), (17, 15), (17, 9)] as [(UInt16, UInt16)] {
            let session = fixture.session(1, version: SMPVersion(rawValue: spoken))
            let request = QueueRequest(
                recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey, link: .messaging(nil))
            var transmission = try session.transmission(.new(request), .none, key)
            transmission.command = try Command.new(request).encoded(SMPVersion(rawValue: written))
            #expect(try session.send([transmission]).answers.map(\.message) == [.error(Self.syntax)])
        }
    }
}

/// A relay with one queue of each kind, and every command for it in its right form.
private struct World {
    let fixture = CoreFixture()
    let session: CoreSession
    let correlationID = CorrelationID.random()
    private let messaging: CoreQueue
    private let linked: CoreQueue
    private let contact: CoreQueue
    private let link = EntityID.random()
    private let notifier: EntityID
    private let notifierKey = AuthenticationPrivateKey.ed25519(.init())
    private let data = LinkData(fixed: [1], user: [2])

    init() throws {
        session = fixture.session(1, version: 17)
        messaging = try session.makeQueue(subscribes: false)
        try messaging.secure(in: session)
        let notifierKeys = NotifierKeys(
            authenticationKey: notifierKey.publicKey, agreementKey: X25519.PrivateKey().publicKey)
        guard case .notifier(let id, _) = try messaging.ask(.setNotifier(notifierKeys), in: session) else {
            throw SMPError.internalError
        }
        notifier = id
        contact = try session.makeQueue(subscribes: false, link: .contact(nil))
        _ = try contact.ask(.setLinkData(linkID: link, data), in: session)
        let senderID = CorrelationID.random()
        let key = AuthenticationPrivateKey.ed25519(.init())
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey,
            link: .messaging(.init(senderID: .sender(for: senderID), data: data)))
        let made = try session.send([try session.transmission(.new(request), .none, key, correlationID: senderID)])
        guard case .queue(let ids) = made.answers.first?.message else { throw SMPError.internalError }
        linked = CoreQueue(ids: ids, recipientKey: key, senderKey: .ed25519(.init()))
    }

    /// What must not change.
    var state: [String] {
        fixture.core.withStore { store in
            store.queues.values.map {
                "\($0.recipientID) \($0.recipientKeys) \(String(describing: $0.senderKey)) \($0.status) "
                    + "\(String(describing: $0.link)) \(String(describing: $0.notifier?.id)) \($0.messages.count) "
                    + "\(String(describing: $0.subscriber))"
            }.sorted() + store.sessions.map { "\($0)" }.sorted()
        }
    }

    func batch(_ transmission: [UInt8]) throws -> [UInt8] { try Batch.encode([transmission]) }

    func answers(to payload: [UInt8]) throws -> [CoreAnswer] {
        try CoreFixtureAnswers.answers(session, payload)
    }

    private func parts(_ tag: CommandTag) -> (command: Command, entity: EntityID, key: AuthenticationPrivateKey?) {
        let fresh = AuthenticationPrivateKey.ed25519(.init())
        let request = QueueRequest(
            recipientKey: fresh.publicKey, agreementKey: X25519.PrivateKey().publicKey, link: .messaging(nil))
        let keys = NotifierKeys(authenticationKey: fresh.publicKey, agreementKey: X25519.PrivateKey().publicKey)
        let own = (messaging.recipientID, messaging.recipientKey as AuthenticationPrivateKey?)
        return switch tag {
        case .new: (.new(request), .none, fresh)
        case .subscribe: (.subscribe, own.0, own.1)
        case .get: (.get, own.0, own.1)
        case .acknowledge: (.acknowledge(.random()), own.0, own.1)
        case .setSenderKey: (.setSenderKey(messaging.senderKey.publicKey), own.0, own.1)
        case .setRecipientKeys: (.setRecipientKeys([fresh.publicKey]), contact.recipientID, contact.recipientKey)
        case .setLinkData: (.setLinkData(linkID: link, data), contact.recipientID, contact.recipientKey)
        case .deleteLinkData: (.deleteLinkData, contact.recipientID, contact.recipientKey)
        case .setNotifier: (.setNotifier(keys), own.0, own.1)
        case .deleteNotifier: (.deleteNotifier, own.0, own.1)
        case .suspend: (.suspend, own.0, own.1)
        case .delete: (.delete, own.0, own.1)
        case .queueInfo: (.queueInfo, own.0, own.1)
        case .secure: (.secure(linked.senderKey.publicKey), linked.senderID, linked.senderKey)
        case .send: (.send(notify: true, body: [1, 2, 3]), messaging.senderID, messaging.senderKey)
        case .secureAndGetLink:
            (.secureAndGetLink(linked.senderKey.publicKey), linked.ids.linkID ?? .none, linked.senderKey)
        case .getLink: (.getLink, link, nil)
        case .subscribeNotifier: (.subscribeNotifier, notifier, notifierKey)
        case .ping, .openProxySession, .forwardToProxy: (.ping, .none, nil)
        case .forwardToRelay: (.forwardToRelay([UInt8](repeating: 1, count: 40)), .none, nil)
        case .subscribeService: (.subscribeService, .random(), fresh)
        case .subscribeNotifierService: (.subscribeNotifierService, .random(), fresh)
        }
    }

    /// The command as it should be.
    func good(_ tag: CommandTag) throws -> Transmission {
        let parts = parts(tag)
        return try session.transmission(parts.command, parts.entity, parts.key, correlationID: correlationID)
    }

    /// The command with its fault, in a block.
    func payload(_ line: BadInputTests.Line) throws -> [UInt8] {
        if line.fault == .wrongOrder { return try batch(outOfOrder(line.tag).encoded(17)) }
        let parts = parts(line.tag)
        var entity = parts.entity
        var key = parts.key
        switch line.fault {
        case .wrongAuthenticator: key = .ed25519(.init())
        case .wrongKindOfKey: key = .x25519(.init())
        case .noAuthenticator: key = nil
        case .unwantedAuthenticator:
            key = .ed25519(.init())
            if line.tag == .send { entity = contact.senderID }
        case .unknownEntity: entity = .random()
        case .noEntity: entity = .none
        case .unwantedEntity: entity = .random()
        case .truncated, .trailing, .wrongOrder: break
        }
        var transmission = try session.transmission(parts.command, entity, key, correlationID: correlationID)
        // Of SEND the body may have any length, so that more has to go.
        if line.fault == .truncated { transmission.command.removeLast(line.tag == .send ? 4 : 1) }
        if line.fault == .trailing { transmission.command.append(0x20) }
        return try batch(transmission.encoded(17))
    }

    /// The command in its right form at a time when it is not possible.
    private func outOfOrder(_ tag: CommandTag) throws -> Transmission {
        let other = AuthenticationPrivateKey.ed25519(.init())
        func transmission(_ command: Command, _ entity: EntityID, _ key: AuthenticationPrivateKey?) throws
            -> Transmission
        { try session.transmission(command, entity, key, correlationID: correlationID) }
        switch tag {
        case .subscribe:
            _ = try messaging.ask(.get, in: session)
            return try good(tag)
        case .get:
            _ = try messaging.ask(.subscribe, in: session)
            return try good(tag)
        case .setSenderKey:
            return try transmission(.setSenderKey(other.publicKey), messaging.recipientID, messaging.recipientKey)
        case .setRecipientKeys:
            return try transmission(.setRecipientKeys([other.publicKey]), messaging.recipientID, messaging.recipientKey)
        case .setLinkData:
            return try transmission(
                .setLinkData(linkID: .random(), data), messaging.recipientID, messaging.recipientKey)
        case .delete:
            _ = try messaging.ask(.delete, in: session)
            return try good(tag)
        case .secure:
            return try transmission(.secure(other.publicKey), messaging.senderID, other)
        case .send:
            _ = try messaging.ask(.suspend, in: session)
            return try good(tag)
        case .secureAndGetLink:
            _ = try session.ask(
                .secureAndGetLink(linked.senderKey.publicKey), linked.ids.linkID ?? .none, linked.senderKey)
            _ = try linked.send(in: session)
            return try good(tag)
        case .getLink:
            _ = try contact.ask(.deleteLinkData, in: session)
            return try good(tag)
        default: return try good(tag)
        }
    }
}

/// Raw payloads to a session.
enum CoreFixtureAnswers {
    static func answers(_ session: CoreSession, _ payload: [UInt8]) throws -> [CoreAnswer] {
        try session.core.process(payload, session: session.context).payloads.flatMap { try session.answers($0) }
    }
}
