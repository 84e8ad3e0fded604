import Calling
import Parley
import Signaling
import Wording

extension EventPrinter {
    /// A line about a contact.
    func contact(_ contact: Contact) {
        let change = contact.offeredName.map { ", now calls itself \($0)" } ?? ""
        let state = contact.isConnected ? "connected" : "connecting"
        let block = contact.isBlocked ? ", blocked" : ""
        let compared = contact.isCompared ? ", compared" : ""
        let labels = contact.labels.map { ", \($0.text)" }.joined()
        var sentence: PlainLine = "\(contact.name) (\(state)\(block)\(compared)\(labels)\(change))"
        var fields = facts(of: contact)
        fields["state"] = .string(state)
        switch contact.trouble {
        case nil: break
        case .gone:
            fields["state"] = "gone"
            sentence = .tr("%s (has removed you)", contact.name)
        case .cutOff:
            fields["state"] = "cut off"
            sentence = .tr("%s (what they send can’t reach you any more; only a new link helps)", contact.name)
        case .failed(let fault, _):
            let reason = fault.sentence
            fields["state"] = "failed"
            fields["message"] = .string(reason)
            sentence = .tr("%1$s (failed): %2$s", contact.name, reason)
        }
        event("contact", fields, sentence: sentence)
    }

    /// Somebody calls.
    func incoming(_ call: Call) {
        var fields: Fields = [
            "call": .string(call.id.description), "contact": .string(call.contact.name),
            "media": .string(call.media.rawValue),
        ]
        let labels = call.contact.labels
        if !labels.isEmpty { fields["labels"] = .labels(labels) }
        let words: PlainLine = "(\(labels.map(\.text).joined(separator: ", ")))"
        let sentence = PlainLine.tr("%s is calling.", call.contact.name)
        event("incoming", fields, sentence: labels.isEmpty ? sentence : PlainLine(joining: [sentence, words]))
    }

    private func facts(of contact: Contact) -> Fields {
        var fields: Fields = ["contact": .string(contact.name)]
        fields["callsItself"] = contact.offeredName.map { .string($0) }
        fields["ownName"] = contact.ownName.map { .string($0) }
        if contact.isNamedHere { fields["named"] = .boolean(true) }
        if contact.isConnected { fields["allowsCalls"] = .boolean(contact.allowsCalls) }
        if contact.isBlocked { fields["blocked"] = .boolean(true) }
        if contact.isCompared { fields["compared"] = .boolean(true) }
        fields["description"] = contact.shortDescription.map { .string($0) }
        fields["picture"] = contact.picture.map { self.fields(of: $0) }
        if !contact.labels.isEmpty { fields["labels"] = .labels(contact.labels) }
        fields["lastCall"] = contact.lastCall.map { call in
            .object([
                "number": .number(Int(call.number)), "at": .moment(call.date),
                "direction": .string(call.direction.rawValue), "media": .string(call.media.rawValue),
                "result": .string(call.result.name), "missed": .boolean(call.isMissed),
            ])
        }
        return fields
    }

    /// How the person here shows themselves.
    func profile(_ own: OwnProfile) {
        var fields: Fields = ["name": .string(own.displayName)]
        fields["description"] = own.shortDescription.map { .string($0) }
        fields["picture"] = own.picture.map { self.fields(of: $0) }
        var lines: [PlainLine] = ["\(own.displayName)"]
        if let description = own.shortDescription { lines.append("\(description)") }
        if let picture = own.picture {
            lines.append(.tr("A picture of %1$s by %2$s pixels.", picture.width, picture.height))
        }
        last("profile", fields, sentence: PlainLine(lines: lines))
    }

    private func fields(of picture: ProfilePicture) -> EventValue {
        .object([
            "format": .string(picture.format.rawValue), "width": .number(picture.width),
            "height": .number(picture.height), "bytes": .number(picture.bytes.count),
        ])
    }
}

extension EventValue {
    /// Labels: the program's own by a word that is always the same, others as they were typed.
    static func labels(_ labels: [ContactLabel]) -> EventValue {
        .array(
            labels.map { label in
                switch label {
                case .suspectedSpam: .object(["kind": "suspectedSpam"])
                case .own(let text): .object(["kind": "own", "text": .string(text)])
                }
            })
    }
}
