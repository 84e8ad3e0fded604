import Agent
import AgentProtocol
import Calling
import Media
import Signaling

/// What the account does with what its agent and its calls tell.
extension Account {
    func handle(_ event: AgentEvent) async {
        // Lines of group calls are no contacts: nothing else comes of them.
        if await groups.lines.handle(event) { return }
        switch event {
        case .confirmation(let connection, let information):
            await receive(information, from: connection)
            if !isRemoved(connection) { await allow(connection) }
        case .information(let connection, let information): await receive(information, from: connection)
        case .connected(let connection):
            await change(ContactID(rawValue: connection.rawValue)) {
                $0.isConnected = true
                $0.link = nil
                $0.invitation = nil
            }
            await tellProfile(to: ContactID(rawValue: connection.rawValue))
        case .message(let connection, let message): await handle(message, from: connection)
        case .sent(let connection, let number):
            people.settleProfile(number, ContactID(rawValue: connection.rawValue))
            signaling.settle(connection, number, isTaken: true)
            await groups.lines.settle(connection, number, isTaken: true)
            await messageStore.settle(ContactID(rawValue: connection.rawValue), number, as: .sent)
        case .failed(let connection, let number?, let error):
            logger.error("A message on \(connection) was given up: \(error)")
            let id = ContactID(rawValue: connection.rawValue)
            // First: a call then ends for this reason, and not for a message that was not sent.
            if error == .peerGone, book[id]?.isConnected == true { await noteGone(id) }
            signaling.settle(connection, number, isTaken: false)
            await groups.lines.settle(connection, number, isTaken: false)
            await noteProfileLost(number, id)
            await messageStore.settle(id, number, as: .failed)
        case .failed(let connection, nil, let error): await fail(connection, error)
        case .up(let relay, let version):
            versions.set(Int(version), of: relay.withoutPassword.text)
            await tellRelay(relay.withoutPassword.text)
            await relayIsUp()
        case .down(let relay): await tellRelay(relay.withoutPassword.text)
        case .request: await tellRequests()
        case .synchronisation(let connection, let state):
            listeners.send(.encryption(ContactID(rawValue: connection.rawValue), EncryptionState(state)))
            await checkComparedCode(of: ContactID(rawValue: connection.rawValue))
        case .integrityBroken(let connection, let integrity): tell(integrity, of: connection)
        case .rotation(let connection, let state):
            listeners.send(.moving(ContactID(rawValue: connection.rawValue), state != .none))
        case .received(let connection, let number, let verdict): await tell(verdict, of: number, on: connection)
        case .routing(let relay, let notice):
            logger.notice("Relay \(relay): \(notice)")
            listeners.send(.notice(.routing(notice, host: relay.hosts.first ?? "")))
        case .storeFailing(let error): listeners.send(.storage(error))
        case .storeRecovered:
            listeners.send(.storage(nil))
            if lacksContacts { await keepContacts() }
            await storeInvitations()
            await callLog.store()
            await tellProfile()
            _ = await storeTexts()
        case .read(let connection):
            await center.caughtUp(with: ContactID(rawValue: connection.rawValue))
            await groupCaughtUp(with: ContactID(rawValue: connection.rawValue))
        case .subscriptionEnded(let connection):
            logger.notice("Another program reads the messages of \(connection) now")
        }
    }

    func handle(_ update: CallUpdate) async {
        let call = adopt(update)
        follow(update, call)
        await followPath(of: update)
        if update.stage != .ringingWithoutConsent { listeners.forget(call) }
        if call.apply(update) { calls[update.callID] = nil }
        if update.endReason != nil { await talkEnded(update.callID) }
    }

    /// A call is over: it goes into the log. One that nobody here took is told by name, once.
    func handle(_ entry: CallLogEntry) async {
        if let missed = MissedCall(entry, contact: contact(entry.contact)) { listeners.send(.missed(missed)) }
        await keep(entry)
    }

    func contact(_ id: ContactID) -> Contact {
        if let known = book.contacts.first(where: { $0.id == id }) { return known }
        var unknown = Contact(id: id, name: Contact.unknownName, isConnected: false)
        unknown.isUnnamed = true
        return unknown
    }

    func handle(_ outcome: SignalingAdapter.Outcome) async {
        switch (outcome.message, outcome.isTaken) {
        case (.invitation(let id, _), true): await center.invitationTaken(id)
        case (_, true): break
        case (let message, false) where !message.isNeeded: break
        case (let message, false): await center.sendingFailed(message.callID)
        }
    }

    /// A call for somebody who does not read the updates in turn, as it is now: one that has ended meanwhile is made as one that has, and
    /// whatever comes later is handled later. Nil when nothing is known of it.
    func adopt(_ id: CallID) -> Call? { center.update(of: id).map { adopt($0) } }

    /// Media was opened for a call; one that ended meanwhile closes it.
    func attach(_ session: PeerMediaSession, to id: CallID) async {
        guard let update = center.update(of: id), update.endReason == nil else { return }
        await adopt(update).attach(session)
    }

    /// The call an update belongs to; a new one is announced if it is incoming. `contact` says with whom, if that is at hand.
    func adopt(_ update: CallUpdate, with contact: Contact? = nil) -> Call {
        if let call = calls[update.callID] { return call }
        let call = Call(
            update, contact: contact ?? self.contact(update.contact), center: center, versions: versions
        ) { [weak self] in
            await self?.receivingRelay(of: update.contact)
        }
        if update.endReason == nil { calls[update.callID] = call }
        if !callLog.underWay.hasEnded(update.callID) { unlogged[update.callID] = call }
        if update.direction == .incoming {
            if update.endReason == nil { MediaRuntime.load() }
            listeners.send(update.endReason.map { .refused(call, $0) } ?? .incoming(call))
        }
        return call
    }

    private func handle(_ message: ReceivedMessage, from connection: ConnectionID) async {
        guard !isRemoved(connection) else {
            logger.info("A message of a removed contact came late")
            return await agent.acknowledge(connection, message: message.id, receipt: false)
        }
        tell(message.integrity, of: connection)
        let contact = ContactID(rawValue: connection.rawValue)
        let isLive = agent.hasRead(connection)
        isHandlingMessage = true
        var (wantsReceipt, hasInvitation, hasGroupInvitation) = (false, false, false)
        var texts: [ReceivedText] = []
        var confirmsGroup = false
        do {
            let body = try ChatBody(decoding: message.body)
            wantsReceipt = body.messages.contains { $0.event.wantsReceipt }
            hasInvitation = body.messages.contains { $0.event.isInvitation }
            hasGroupInvitation = body.messages.contains { $0.event.isGroupInvitation }
            if keepsTexts(of: contact) { texts = body.messages.compactMap(ReceivedText.init) }
            for chat in body.messages {
                // Members of a group call wait for each other's receipts.
                if case .group(let call, let group) = chat.event {
                    await noteAlive(contact)
                    let confirms = await receive(
                        group, of: call, from: contact, brokerTime: message.brokerTime, isLive: isLive)
                    confirmsGroup = confirms || confirmsGroup
                    continue
                }
                await handle(chat.event, from: connection, brokerTime: message.brokerTime, isLive: isLive)
            }
            for error in body.refused { logger.notice("A message of a batch was not used: \(error)") }
        } catch {
            logger.notice("A message was not used: \(error)")
        }
        let receipt = wantsReceipt && sendsReceipts || confirmsGroup
        let isKept =
            texts.isEmpty
            ? await acknowledge(message.id, from: connection, receipt: receipt)
            : await keep(texts, of: message, from: connection, receipt: receipt)
        isHandlingMessage = false
        await keptInvitations.store()
        guard !isLive else { return }
        if hasGroupInvitation {
            if isKept { await agent.tellWhenRead(connection) } else { await groupCaughtUp(with: contact) }
        }
        guard hasInvitation else { return }
        // What can't be stored is not acknowledged to the relay, which gives nothing more then.
        if isKept { await awaitEndOfMailbox(of: contact) } else { await center.caughtUp(with: contact) }
    }

    /// Acknowledges a message, and keeps in the same transaction what has become of invitations by it.
    /// - Returns: Whether that was stored.
    private func acknowledge(_ message: Int64, from connection: ConnectionID, receipt: Bool) async -> Bool {
        guard let draft = keptInvitations.draft() else {
            await agent.acknowledge(connection, message: message, receipt: receipt)
            return true
        }
        let isStored = await agent.acknowledge(
            connection, message: message, receipt: receipt, keeping: draft.value)
        keptInvitations.settle(draft, isStored: isStored)
        return isStored
    }

    /// Whether anybody is to see what a contact writes. What a blocked one writes is kept nowhere, and confirmed like what others write.
    private func keepsTexts(of id: ContactID) -> Bool {
        book[id].map { $0.isBlocked != true } ?? false
    }

    private func isRemoved(_ connection: ConnectionID) -> Bool {
        removed.contains(ContactID(rawValue: connection.rawValue))
    }

    private func tell(_ integrity: MessageIntegrity, of connection: ConnectionID) {
        guard let problem = IntegrityProblem(integrity) else { return }
        logger.notice("Messages on \(connection) don't follow one another: \(integrity)")
        listeners.send(.integrity(ContactID(rawValue: connection.rawValue), problem))
    }

    private func tell(_ verdict: ReceiptVerdict, of number: Int64, on connection: ConnectionID) async {
        let id = ContactID(rawValue: connection.rawValue)
        guard verdict == .matching else { return listeners.send(.integrity(id, .altered)) }
        await groups.lines.received(connection, number)
        await messageStore.settle(id, number, as: .delivered)
        guard let call = signaling.takeInvitation(connection, number) else { return }
        calls[call]?.markDelivered()
        await center.invitationDelivered(call)
        listeners.send(.delivered(id, call))
    }

    private func handle(
        _ event: ChatEvent, from connection: ConnectionID, brokerTime: Int64, isLive: Bool
    ) async {
        let id = ContactID(rawValue: connection.rawValue)
        if event != .contactDeleted { await noteAlive(id) }
        switch event {
        case .call(let message): await center.receive(message, from: id, brokerTime: brokerTime, isLive: isLive)
        case .information(let profile): await receive(profile, from: id)
        case .contactDeleted: await noteGone(id)
        case .written, .messageUpdated, .messageDeleted: break
        case .contactRequest, .group, .unknown: logger.info("An event of no use here: \(event.name)")
        }
    }

    private func receive(_ information: [UInt8], from connection: ConnectionID) async {
        do {
            let message = try ChatMessage(connectionInformation: information)
            guard case .information(let profile) = message.event else { return }
            await receive(profile, from: ContactID(rawValue: connection.rawValue))
        } catch {
            logger.notice("A contact's profile can't be read: \(error)")
        }
    }

    private func receive(_ profile: Profile, from id: ContactID) async {
        guard book[id]?.isTestCall != true else { return }
        let former = book.contacts.first { $0.id == id }?.name
        let offered = await keep(profile, of: id)
        if let former, let offered { listeners.send(.notice(.renamed(former, offered))) }
    }

    private func allow(_ connection: ConnectionID) async {
        do {
            let profile = introduction(to: ContactID(rawValue: connection.rawValue))
            let information = try ChatMessage(.information(profile)).encodedConnectionInformation()
            try await agent.allow(connection, info: information)
            await change(ContactID(rawValue: connection.rawValue)) { $0.noteTold(profile) }
        } catch {
            logger.error("A contact could not be answered: \(error)")
        }
    }

    private func fail(_ connection: ConnectionID, _ error: AgentError) async {
        logger.error("Connection \(connection): \(error)")
        let id = ContactID(rawValue: connection.rawValue)
        guard let record = book[id], record.isGone != true else { return }
        guard !record.isConnected else {
            if error == .relayRefused("AUTH") { await noteMailboxGone(id) }
            return
        }
        await change(id) { $0.fail(.agent(error)) }
        listeners.send(.failed(id, .agent(error)))
    }
}

extension ChatEvent {
    /// Whether whoever sent this wants to know that it came in (Calls fact sheet §1).
    fileprivate var wantsReceipt: Bool {
        if case .written = self { true } else { isInvitation }
    }

    /// Whether it is an invitation to a call of several.
    fileprivate var isGroupInvitation: Bool {
        if case .group(_, let message) = self { message.isInvitation } else { false }
    }

    /// Whether it is an invitation to a call, which rings only when its caller knows that it came in.
    fileprivate var isInvitation: Bool {
        if case .call(.invitation) = self { true } else { false }
    }
}
