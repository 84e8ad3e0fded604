import Agent
import BaseKit
import Calling
import Cryptography
import Logging
import Signaling

/// Plugs the agent into group calls: a contact is its connection; other members are reached by connections that are made for the call,
/// are never contacts, carry nothing but messages of the call, and are deleted with it.
final class GroupLines: GroupSignalingPort {
    /// Why there is no line.
    enum Fault: Error {
        /// The link is none that one person made for one.
        case foreignLink
        case noLine
    }

    private struct Number: Hashable {
        let connection: ConnectionID
        let message: Int64
    }

    private struct Sent: Hashable {
        let call: CallID
        let number: Int
    }

    /// What is heard of a message that the agent has taken.
    private enum News: Sendable {
        /// A relay has it.
        case taken
        /// It was given up.
        case lost
        /// The reader's device has it.
        case received
    }

    private struct Traffic {
        /// Messages whose receipts are to be told.
        var waiting: [Number: Sent] = [:]
        /// Those that no relay has yet.
        var unsent: Set<Number> = []
        /// Invitations that no relay has yet.
        var invitations: [Number: Sent] = [:]
        /// What was heard of messages whose numbers were not known yet, oldest first.
        var early: [(number: Number, news: News)] = []
        /// The codes of lines by which somebody has proved to be a contact.
        var proven: [ConnectionID: [UInt8]] = [:]
        /// Connections that were deleted since the start: what comes late of them is of no use.
        var closed: Set<ConnectionID> = []
        var orphans: Set<ConnectionID> = []

        mutating func noteEarly(_ number: Number, _ news: News) {
            early.append((number, news))
            if early.count > GroupLines.earlyLimit { early.removeFirst() }
        }
    }

    private let agent: Agent
    private let nameConnection: @Sendable () -> ConnectionID
    private let logger = Logger(label: "im.parley.groups")
    private let book = KeptValue(GroupLineBook(), name: GroupLines.name) { $0.encoded }
    private let traffic = Lock(Traffic())
    private let settled = Broadcaster<Void>()
    private let receiver = Lock<GroupCallCenter?>(nil)
    private let others = Lock<(@Sendable (GroupMessage, CallID, GroupPeer) async -> Void)?>(nil)

    private let secrets = Lock<(@Sendable () async -> [ContactID: SecretBytes])?>(nil)
    private let onSynchronisation = Lock<(@Sendable (CallID) async -> Void)?>(nil)

    private static let name = "group-lines"
    private static let earlyLimit = 32

    init(agent: Agent, nameConnection: @escaping @Sendable () -> ConnectionID = { .random() }) {
        self.agent = agent
        self.nameConnection = nameConnection
    }

    /// Says where receipts, lines and messages go. Before the first call.
    func connect(to center: GroupCallCenter) { receiver.withLock { $0 = center } }

    /// Says who hears of messages of calls that this side is not in. Before the first call.
    func onOthers(_ body: @escaping @Sendable (GroupMessage, CallID, GroupPeer) async -> Void) {
        others.withLock { $0 = body }
    }

    /// Says who knows what contacts and the person here recognise each other by. Before the first call.
    func askSecrets(_ body: @escaping @Sendable () async -> [ContactID: SecretBytes]) {
        secrets.withLock { $0 = body }
    }

    /// Says who hears that the encryption of a line was made anew, or is about to be. Before the first call.
    func onSynchronisation(_ body: @escaping @Sendable (CallID) async -> Void) {
        onSynchronisation.withLock { $0 = body }
    }

    private var center: GroupCallCenter? { receiver.withLock { $0 } }

    /// Whether a connection is a line, or was one.
    func owns(_ connection: ConnectionID) -> Bool {
        book.value[connection] != nil || traffic.withLock { $0.closed.contains(connection) }
    }

    /// How many lines there are.
    var count: Int { book.value.lines.count }

    /// Waits until no message is on its way to a relay, or the task is cancelled.
    func waitUntilSent() async {
        await settled.wait { traffic.withLock { $0.unsent.isEmpty } }
    }

    // MARK: Sending

    func send(_ message: GroupMessage, of call: CallID, to peer: GroupPeer, number: Int) async throws {
        let connection: ConnectionID
        switch peer {
        case .contact(let contact): connection = ConnectionID(rawValue: contact.rawValue)
        case .line(let member):
            guard let line = book.value.connection(to: member, of: call) else { throw Fault.noLine }
            connection = line
        }
        let sent = Sent(call: call, number: number)
        // The agent sends it again by itself until the relay has it, and that keeps it.
        let isUnderWay = traffic.withLock {
            $0.waiting.contains { $0.key.connection == connection && $0.value == sent }
        }
        guard !isUnderWay else { return }
        let body = try ChatMessage.identified(.group(call, await tagged(message, of: call, on: connection, to: peer)))
            .encoded()
        let own = Number(
            connection: connection, message: try await agent.send(body, on: connection, notify: message.notifies))
        let early = traffic.withLock { traffic in
            let early = traffic.early.filter { $0.number == own }.map(\.news)
            traffic.early.removeAll { $0.number == own }
            if message.wantsReceipt, !early.contains(.lost), !early.contains(.received) { traffic.waiting[own] = sent }
            if early.isEmpty {
                traffic.unsent.insert(own)
                if message.isInvitation { traffic.invitations[own] = sent }
            }
            return early
        }
        if message.isInvitation, early.contains(.lost) {
            await center?.lost(number, of: call)
        } else if message.isInvitation, !early.isEmpty {
            await center?.taken(number, of: call)
        }
        if message.wantsReceipt, early.contains(.received) { await center?.received(number, of: call) }
    }

    /// Nobody waits any more for what was sent of a call: whoever comes back into it counts messages anew.
    func forgetMessages(of call: CallID) {
        traffic.withLock { traffic in
            traffic.waiting = traffic.waiting.filter { $0.value.call != call }
            traffic.invitations = traffic.invitations.filter { $0.value.call != call }
        }
    }

    /// Who speaks first on a line says by what its contacts know it.
    private func tagged(
        _ message: GroupMessage, of call: CallID, on connection: ConnectionID, to peer: GroupPeer
    ) async -> GroupMessage {
        guard case .hello(var hello) = message, case .line = peer,
            let recognition = await recognition(on: connection, of: call)
        else { return message }
        hello.tags = recognition.tags(of: hello.member)
        return .hello(hello)
    }

    private func recognition(on connection: ConnectionID, of call: CallID) async -> MemberRecognition? {
        guard let body = secrets.withLock({ $0 }), let code = try? await agent.securityCode(of: connection) else {
            return nil
        }
        return MemberRecognition(call, line: code.bytes, secrets: await body())
    }

    /// Looks whether who speaks on a line has proved to be a contact.
    private func recognise(_ hello: GroupHello, by line: GroupLineBook.Line) async {
        guard hello.member == line.member, !hello.tags.isEmpty,
            let recognition = await recognition(on: line.connection, of: line.call),
            let contact = recognition.contact(with: hello.tags, of: hello.member),
            book.value[line.connection] == line
        else { return }
        traffic.withLock { $0.proven[line.connection] = recognition.line }
        await center?.line(line.member, .recognised(contact), of: line.call)
    }

    /// The encryption of a line was made anew, or is about to be: what was proved by its former code is to be proved again.
    private func synchronised(_ line: GroupLineBook.Line) async {
        let proven = traffic.withLock { $0.proven[line.connection] }
        if let proven, let code = try? await agent.securityCode(of: line.connection), code.bytes != proven {
            traffic.withLock { $0.proven[line.connection] = nil }
            await center?.line(line.member, .renewed, of: line.call)
        }
        await onSynchronisation.withLock { $0 }?(line.call)
    }

    /// The relay has a message of the agent, or it was given up: then it may be sent anew.
    func settle(_ connection: ConnectionID, _ message: Int64, isTaken: Bool) async {
        let number = Number(connection: connection, message: message)
        let (wasUnsent, invitation) = traffic.withLock { traffic in
            if !isTaken { traffic.waiting[number] = nil }
            let wasUnsent = traffic.unsent.remove(number) != nil
            if !wasUnsent { traffic.noteEarly(number, isTaken ? .taken : .lost) }
            return (wasUnsent, traffic.invitations.removeValue(forKey: number))
        }
        if wasUnsent { settled.send(()) }
        guard let invitation else { return }
        if isTaken {
            await center?.taken(invitation.number, of: invitation.call)
        } else {
            await center?.lost(invitation.number, of: invitation.call)
        }
    }

    /// The reader's device has a message of the agent.
    func received(_ connection: ConnectionID, _ message: Int64) async {
        let number = Number(connection: connection, message: message)
        let sent = traffic.withLock { traffic -> Sent? in
            guard let sent = traffic.waiting.removeValue(forKey: number) else {
                traffic.noteEarly(number, .received)
                return nil
            }
            return sent
        }
        if let sent { await center?.received(sent.number, of: sent.call) }
    }

    // MARK: Lines

    func makeLine(to member: MemberNumber, of call: CallID, as own: MemberNumber) async throws -> GroupLink {
        await closeLine(to: member, of: call)
        // On disk first: what a crash leaves is found at the next start.
        try await change { $0.makingCount += 1 }
        do {
            let (connection, text) = try await agent.makeInvitation()
            guard let link = GroupLink(parsing: text) else {
                try? await agent.delete(connection)
                throw Fault.foreignLink
            }
            // Should that fail, the note of before leads to it.
            try? await change {
                $0.makingCount -= 1
                $0.lines[connection] = GroupLineBook.Line(
                    connection: connection, call: call, member: member, own: own)
            }
            return link
        } catch {
            try? await change { $0.makingCount -= 1 }
            throw error
        }
    }

    func joinLine(_ link: GroupLink, to member: MemberNumber, of call: CallID, as own: MemberNumber) async throws {
        guard LinkKind(link: link.text) == .invitation else { throw Fault.foreignLink }
        await closeLine(to: member, of: call)
        let greeting = try ChatMessage(.group(call, .hello(GroupHello(own)))).encodedConnectionInformation()
        let connection = nameConnection()
        try await change {
            $0.joining[connection] = GroupLineBook.Line(connection: connection, call: call, member: member, own: own)
        }
        do {
            _ = try await agent.join(link: link.text, info: greeting, as: connection)
            // Gone from there, it has failed meanwhile.
            try? await change { book in
                if let line = book.joining.removeValue(forKey: connection) { book.lines[connection] = line }
            }
        } catch {
            try? await change { $0.joining[connection] = nil }
            throw error
        }
    }

    func closeLine(to member: MemberNumber, of call: CallID) async {
        guard let connection = book.value.connection(to: member, of: call) else { return }
        await close(connection)
    }

    /// Deletes all lines of a call.
    func closeLines(of call: CallID) async {
        for line in book.value.lines.values where line.call == call { await close(line.connection) }
    }

    private func close(_ connection: ConnectionID) async {
        traffic.withLock { traffic in
            traffic.closed.insert(connection)
            traffic.proven[connection] = nil
            traffic.waiting = traffic.waiting.filter { $0.key.connection != connection }
        }
        do {
            try await agent.delete(connection)
        } catch AgentError.unknownConnection {
        } catch {
            // Found at the next start.
            return logger.notice("A line could not be deleted yet: \(error)")
        }
        try? await change {
            $0.lines[connection] = nil
            $0.joining[connection] = nil
        }
    }

    private func change(_ body: (inout GroupLineBook) -> Void) async throws {
        book.change {
            body(&$0)
            return true
        }
        guard let draft = book.draft() else { return }
        try await agent.setApplicationData(draft.value)
        book.settle(draft)
    }

    // MARK: A former process

    /// Takes over what a former process has left, before the agent starts. Lines of `call` stay; the others, and connections that were
    /// being made and are nobody's, are deleted by ``sweep()``.
    func restore(keeping call: CallID?, contacts: Set<ConnectionID>) async throws {
        guard let bytes = try await agent.applicationData(Self.name) else { return }
        let former = GroupLineBook.decoded(bytes)
        if former == nil { logger.error("The lines of former calls can't be read") }
        let lines = former?.lines ?? []
        var orphans = Set(lines.filter { $0.call != call }.map(\.connection))
        if former?.wasMaking != false {
            let known = contacts.union(lines.map(\.connection))
            orphans.formUnion(try await agent.connections().map(\.id).filter { !known.contains($0) })
        }
        traffic.withLock { traffic in
            traffic.closed.formUnion(orphans)
            traffic.orphans = orphans
        }
        book.change { book in
            for line in lines { book.lines[line.connection] = line }
            return true
        }
    }

    /// Deletes what a former process has left.
    func sweep() async {
        for connection in traffic.withLock({ $0.orphans }) { await close(connection) }
        traffic.withLock { $0.orphans = [] }
        try? await change { _ in }
    }

    /// The line by which a member of a call is reached.
    func connection(to member: MemberNumber, of call: CallID) -> ConnectionID? {
        book.value.connection(to: member, of: call)
    }

    /// The members that are reached by lines of this call, made under this own number.
    func members(of call: CallID, as own: MemberNumber) -> Set<MemberNumber> {
        Set(book.value.lines.values.filter { $0.call == call && $0.own == own }.map(\.member))
    }

    // MARK: What the agent tells

    /// Takes what the agent tells of a line; false where it is about something else.
    func handle(_ event: AgentEvent) async -> Bool {
        guard let connection = event.connection else { return false }
        guard owns(connection) else { return false }
        guard let line = book.value[connection], !traffic.withLock({ $0.closed.contains(connection) }) else {
            // What was handed over before still goes out.
            switch event {
            case .message(_, let message): await agent.acknowledge(connection, message: message.id, receipt: false)
            case .sent(_, let number): await settle(connection, number, isTaken: true)
            case .failed(_, let number?, _): await settle(connection, number, isTaken: false)
            default: break
            }
            return true
        }
        switch event {
        case .confirmation(_, let information): await greeted(line, information, answers: true)
        case .information(_, let information): await greeted(line, information, answers: false)
        case .connected: await center?.line(line.member, .up, of: line.call)
        case .message(_, let message): await receive(message, by: line)
        case .sent(_, let number): await settle(connection, number, isTaken: true)
        case .received(_, let number, let verdict):
            if verdict == .matching { await received(connection, number) }
        case .failed(_, let number?, let error):
            await settle(connection, number, isTaken: false)
            if error == .peerGone { await fail(line, "the other side has deleted it") }
        case .failed(_, nil, let error): await fail(line, "\(error)")
        case .integrityBroken(_, let integrity): logger.notice("Messages of a line don't follow: \(integrity)")
        case .synchronisation(_, let state):
            logger.notice("The encryption of a line: \(state)")
            await synchronised(line)
        case .rotation, .read, .subscriptionEnded, .up, .down, .request, .routing, .storeFailing, .storeRecovered: break
        }
        return true
    }

    /// Whoever opened the link, or made it, has to say that it is the member for whom the line is.
    private func greeted(_ line: GroupLineBook.Line, _ information: [UInt8], answers: Bool) async {
        guard let message = try? ChatMessage(connectionInformation: information),
            case .group(line.call, .hello(let hello)) = message.event, hello.member == line.member
        else { return await fail(line, "somebody else is at its other end") }
        guard answers else { return }
        do {
            let own = try ChatMessage(.group(line.call, .hello(GroupHello(line.own)))).encodedConnectionInformation()
            try await agent.allow(line.connection, info: own)
        } catch {
            await fail(line, "\(error)")
        }
    }

    private func fail(_ line: GroupLineBook.Line, _ reason: String) async {
        logger.notice("A line has failed: \(reason)")
        await close(line.connection)
        await center?.line(line.member, .failed, of: line.call)
    }

    /// Nothing but messages of its call comes by a line: no calls, no texts, no profiles.
    private func receive(_ message: ReceivedMessage, by line: GroupLineBook.Line) async {
        var confirms = false
        do {
            for chat in try ChatBody(decoding: message.body).messages {
                guard case .group(line.call, let event) = chat.event else {
                    logger.notice("An event of no use by a line: \(chat.event.name)")
                    continue
                }
                let isTaken =
                    await center?.receive(
                        event, of: line.call, from: .line(line.member), brokerTime: message.brokerTime) ?? false
                if isTaken, event.wantsReceipt { confirms = true }
                if isTaken, case .hello(let hello) = event { await recognise(hello, by: line) }
                if !isTaken { await others.withLock { $0 }?(event, line.call, .line(line.member)) }
            }
        } catch {
            logger.notice("A message by a line was not used: \(error)")
        }
        await agent.acknowledge(line.connection, message: message.id, receipt: confirms)
    }
}

extension AgentEvent {
    /// The connection it is about.
    fileprivate var connection: ConnectionID? {
        switch self {
        case .confirmation(let connection, _), .information(let connection, _), .connected(let connection),
            .message(let connection, _), .sent(let connection, _), .received(let connection, _, _),
            .synchronisation(let connection, _), .rotation(let connection, _), .integrityBroken(let connection, _),
            .failed(let connection, _, _), .read(let connection), .subscriptionEnded(let connection):
            connection
        case .request, .up, .down, .routing, .storeFailing, .storeRecovered: nil
        }
    }
}
