import Agent
import Calling
import Signaling

/// What the account does with what its agent and its calls tell.
extension Account {
    func handle(_ event: AgentEvent) async {
        switch event {
        case .confirmation(let connection, let information):
            await take(information, from: connection)
            await allow(connection)
        case .information(let connection, let information): await take(information, from: connection)
        case .connected(let connection):
            await change(ContactID(rawValue: connection.rawValue)) { $0.isConnected = true }
        case .message(let connection, let message): await handle(message, from: connection)
        case .sent(let connection, let number): signaling.settle(connection, number, isTaken: true)
        case .failed(let connection, let number?, let error):
            logger.error("A message on \(connection) was given up: \(error)")
            signaling.settle(connection, number, isTaken: false)
        case .failed(let connection, nil, let error): fail(connection, error)
        case .up(let relay, let version):
            versions.set(Int(version), of: relay.text)
            listeners.send(.relay(RelayStatus(address: relay.text, smpVersion: Int(version))))
        case .down(let relay): listeners.send(.relay(RelayStatus(address: relay.text, smpVersion: nil)))
        case .received, .synchronisation, .integrityBroken, .request, .rotation: break
        case .routing(let relay, let notice):
            logger.notice("Relay \(relay): \(notice)")
            listeners.send(.notice(notice.sentence(relay.hosts.first ?? "")))
        case .subscriptionEnded(let connection):
            logger.notice("Another program reads the messages of \(connection) now")
        }
    }

    func handle(_ update: CallUpdate) async {
        let call = adopt(update)
        if !call.hasSession, let session = await center.session(update.callID) as? PeerMediaSession {
            await call.attach(session)
        }
        if update.stage != .ringingWithoutConsent { listeners.forget(call) }
        if call.apply(update) { calls[update.callID] = nil }
    }

    func handle(_ outcome: SignalingAdapter.Outcome) async {
        switch (outcome.message, outcome.isTaken) {
        case (.invitation(let id, _), true): await center.invitationTaken(id)
        case (_, true): break
        case (let message, false): await center.sendingFailed(message.callID)
        }
    }

    /// The call an update belongs to; a new one is announced if it is incoming.
    func adopt(_ update: CallUpdate) -> Call {
        if let call = calls[update.callID] { return call }
        let contact =
            book.contacts.first { $0.id == update.contact }
            ?? Contact(id: update.contact, name: "Unknown", isConnected: false)
        let call = Call(update, contact: contact, center: center, relay: relays.first?.text, versions: versions)
        if update.endReason == nil { calls[update.callID] = call }
        if update.direction == .incoming, update.endReason == nil { listeners.send(.incoming(call)) }
        return call
    }

    private func handle(_ message: ReceivedMessage, from connection: ConnectionID) async {
        do {
            let body = try ChatBody(decoding: message.body)
            for chat in body.messages { await handle(chat.event, from: connection, brokerTime: message.brokerTime) }
            for error in body.refused { logger.notice("A message of a batch was not used: \(error)") }
        } catch {
            logger.notice("A message was not used: \(error)")
        }
        await agent.acknowledge(connection, message: message.id)
    }

    private func handle(_ event: ChatEvent, from connection: ConnectionID, brokerTime: Int64) async {
        let id = ContactID(rawValue: connection.rawValue)
        switch event {
        case .call(let message): await center.receive(message, from: id, brokerTime: brokerTime)
        case .information(let profile): await take(profile, from: id)
        case .contactDeleted:
            let name = book.contacts.first { $0.id == id }?.name ?? "A contact"
            await change(id) { $0.isConnected = false }
            listeners.send(.notice("\(name) removed you from their contacts."))
        case .contactRequest, .text, .unknown: logger.info("An event of no use here: \(event.name)")
        }
    }

    private func take(_ information: [UInt8], from connection: ConnectionID) async {
        do {
            let message = try ChatMessage(connectionInformation: information)
            guard case .information(let profile) = message.event else { return }
            await take(profile, from: ContactID(rawValue: connection.rawValue))
        } catch {
            logger.notice("A contact's profile can't be read: \(error)")
        }
    }

    private func take(_ profile: Profile, from id: ContactID) async {
        await change(id) { record in
            if !record.isTestCall { record.name = profile.displayName }
            record.calls = profile.calls.rawValue
        }
    }

    private func allow(_ connection: ConnectionID) async {
        do {
            let information = try ChatMessage(.information(profile)).encodedConnectionInformation()
            try await agent.allow(connection, info: information)
        } catch {
            logger.error("A contact could not be answered: \(error)")
        }
    }

    private func fail(_ connection: ConnectionID, _ error: AgentError) {
        logger.error("Connection \(connection): \(error)")
        let id = ContactID(rawValue: connection.rawValue)
        guard book[id]?.isConnected != true else { return }
        failures[id] = error.description
        listeners.send(.failed(id, error.description))
    }
}
