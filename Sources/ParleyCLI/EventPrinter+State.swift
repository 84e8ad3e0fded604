import Parley

// What several commands tell in the same words.
extension EventPrinter {
    /// The last line of a command that connects.
    func connected(_ contact: Contact) {
        last("connected", ["contact": contact.name], sentence: "Connected with \(contact.name).")
    }

    /// Somebody who asks.
    func request(_ request: IncomingRequest) {
        event(
            "request",
            ["number": "\(request.id)", "contact": request.name, "date": request.date.formatted(.iso8601)],
            sentence: "\(request.id): \(request.name)")
    }

    /// A relay and the connection to it.
    func relay(_ status: RelayStatus) {
        let state = status.smpVersion.map { "connected, SMP \($0)" } ?? status.problem ?? "not connected yet"
        event(
            "relay", fields(of: status),
            sentence:
                "\(status.address): \(state) (\(status.isOwn ? "" : "a contact's, ")mailboxes here: \(status.queues))")
    }

    func fields(of status: RelayStatus) -> [String: String] {
        var fields = [
            "relay": status.address, "state": status.smpVersion == nil ? "down" : "up", "queues": "\(status.queues)",
            "own": "\(status.isOwn)",
        ]
        fields["smpVersion"] = status.smpVersion.map(String.init)
        fields["message"] = status.problem
        return fields
    }

    /// How the connection to a contact fares.
    func connection(_ connection: ContactConnection, name: String, code: String?) {
        var fields = [
            "contact": name, "encryption": connection.encryption.rawValue, "moving": "\(connection.isMoving)",
            "waiting": "\(connection.waitingMessages)",
            "receiving": connection.receivingRelays.map(\.address).joined(separator: " "),
        ]
        fields["sending"] = connection.sendingRelay?.address
        fields["integrity"] = connection.problem?.word
        fields["code"] = code
        var lines: [PlainLine] = [
            "Encryption with \(name): \(connection.encryption.rawValue).",
            "Messages waiting to be sent: \(connection.waitingMessages).",
            "They come through \(connection.receivingRelays.map(\.address).joined(separator: ", "))\(connection.isMoving ? ", moving" : "").",
        ]
        if let relay = connection.sendingRelay { lines.append("They go through \(relay.address).") }
        if let problem = connection.problem { lines.append(PlainLine(problem.sentence(naming: name))) }
        if let code { lines.append("Security code, the same on both sides:\n\(code)") }
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
