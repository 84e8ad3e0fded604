import Parley
import Wording

// What several commands tell in the same words.
extension EventPrinter {
    /// The last line of a command that connects.
    func connected(_ contact: Contact) {
        last("connected", ["contact": .string(contact.name)], sentence: .tr("Connected with %s.", contact.name))
    }

    /// Somebody who asks.
    func request(_ request: IncomingRequest) {
        event(
            "request",
            [
                "number": .number(Int(request.id)), "contact": .string(request.name),
                "date": .moment(request.date),
            ],
            sentence: "\(request.id): \(request.shownName)")
    }

    /// A relay and the connection to it.
    func relay(_ status: RelayStatus) {
        let state =
            status.smpVersion.map { tr("connected, SMP %s", $0) } ?? status.problem?.sentence ?? tr("not connected yet")
        event(
            "relay", fields(of: status),
            sentence:
                status.isOwn
                ? .tr("%1$s: %2$s (mailboxes here: %3$s)", status.address, state, status.queues)
                : .tr("%1$s: %2$s (a contact's, mailboxes here: %3$s)", status.address, state, status.queues))
    }

    func fields(of status: RelayStatus) -> Fields {
        var fields: Fields = [
            "relay": .string(status.address), "state": status.smpVersion == nil ? "down" : "up",
            "queues": .number(status.queues), "own": .boolean(status.isOwn),
        ]
        fields["smpVersion"] = status.smpVersion.map { .number($0) }
        fields["message"] = status.problem.map { .string($0.sentence) }
        return fields
    }

    /// How the connection to a contact fares.
    func connection(_ connection: ContactConnection, name: String, code: String?) {
        var fields: Fields = [
            "contact": .string(name), "encryption": .string(connection.encryption.rawValue),
            "moving": .boolean(connection.isMoving), "waiting": .number(connection.waitingMessages),
            "receiving": .array(connection.receivingRelays.map { .string($0.address) }),
        ]
        fields["sending"] = connection.sendingRelay.map { .string($0.address) }
        fields["integrity"] = connection.problem.map { .string($0.word) }
        fields["code"] = code.map { .string($0) }
        let relays = connection.receivingRelays.map(\.address).joined(separator: ", ")
        var lines: [PlainLine] = [
            connection.encryption == .intact
                ? .tr("Messages with %s can be read.", name)
                : PlainLine(connection.encryption.sentence(naming: name)),
            .tr("Messages waiting to be sent: %s.", connection.waitingMessages),
            connection.isMoving
                ? .tr("They come through %s, moving.", relays) : .tr("They come through %s.", relays),
        ]
        if let relay = connection.sendingRelay { lines.append(.tr("They go through %s.", relay.address)) }
        if let problem = connection.problem { lines.append(PlainLine(problem.sentence(naming: name))) }
        if let code { lines.append(.tr("Security code, the same on both sides:\n%s", code)) }
        event("connection", fields, sentence: PlainLine(lines: lines))
    }
}

extension IntegrityProblem {
    /// For programs that read along.
    var word: String {
        switch self {
        case .missing: "missing"
        case .repeated: "repeated"
        case .altered: "altered"
        }
    }
}
