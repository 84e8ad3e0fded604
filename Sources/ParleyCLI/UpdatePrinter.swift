import Calling
import Parley
import Wording

/// Prints what happens beside a command's own steps: relays, requests, receipts, repairs, what is missing.
struct UpdatePrinter {
    let printer: EventPrinter
    /// Whether the command tells of calls that ring, and of how they end, itself.
    let tellsCalls: Bool
    /// Whether short messages are told.
    let tellsMessages: Bool
    private var names: [ContactID: String] = [:]
    private var lost: Set<String> = []
    private var asking: Set<Int64> = []
    private var isOffline = false

    init(printer: EventPrinter, tellsCalls: Bool = false, tellsMessages: Bool = false) {
        self.printer = printer
        self.tellsMessages = tellsMessages
        self.tellsCalls = tellsCalls
    }

    /// Follows an account until it is closed or the task cancelled.
    mutating func follow(_ updates: AsyncStream<AccountUpdate>) async {
        for await update in updates { tell(update) }
    }

    private mutating func tell(_ update: AccountUpdate) {
        switch update {
        case .contacts(let contacts): names = Dictionary(uniqueKeysWithValues: contacts.map { ($0.id, $0.name) })
        case .missed(let call):
            guard !(call.rang && tellsCalls) else { return }
            printer.aside(
                "missed",
                [
                    "call": .string(call.id.description), "contact": .string(call.contact.name),
                    "media": .string(call.media.rawValue), "message": .string(call.sentence),
                ], sentence: PlainLine(call.sentence))
        case .relay(let status): tell(status)
        case .requests(let requests):
            for request in requests where asking.insert(request.id).inserted {
                printer.aside(
                    "request", ["number": .number(Int(request.id)), "contact": .string(request.name)],
                    sentence: .tr("%s asks to be connected.", request.shownName))
            }
        case .encryption(let id, let state):
            printer.aside(
                "encryption", ["contact": .string(name(id)), "state": .string(state.rawValue)],
                sentence: PlainLine(state.sentence(naming: name(id))))
        case .integrity(let id, let problem):
            var fields: EventPrinter.Fields = ["contact": .string(name(id)), "problem": .string(problem.word)]
            if case .missing(let count) = problem { fields["count"] = .number(Int(clamping: count)) }
            printer.aside("integrity", fields, sentence: PlainLine(problem.sentence(naming: name(id))))
        case .moving(let id, let moves):
            printer.aside(
                "rotation", ["contact": .string(name(id)), "state": moves ? "moving" : "moved"], sentence: nil)
        case .delivered(let id, let call):
            printer.aside(
                "delivered", ["contact": .string(name(id)), "call": .string(call.description)], sentence: nil)
        case .storeKey(let status):
            guard let notice = status.notice?.sentence else { return }
            printer.warning(
                "key", ["place": .string(status.place.rawValue), "message": .string(notice)],
                sentence: PlainLine(notice))
        case .storage(let error):
            let sentence = error?.sentence
            printer.aside(
                "storage", sentence.map { ["state": "failing", "message": .string($0)] } ?? ["state": "working"],
                sentence: sentence.map { PlainLine($0) } ?? .tr("The profile can be written again."))
        case .network(let isThere):
            guard isThere == isOffline else { return }
            isOffline = !isThere
            printer.aside(
                "network", ["state": isThere ? "there" : "lost"],
                sentence: isThere
                    ? .tr("There is a network again.")
                    : .tr("There is no network. Parley goes on by itself when there is one."))
        case .settings(let loss):
            let sentence = loss.sentence
            printer.warning("settings", ["message": .string(sentence)], sentence: PlainLine(sentence))
        case .notice(let notice):
            let sentence = notice.sentence
            printer.aside("notice", ["message": .string(sentence)], sentence: PlainLine(sentence))
        case .refused(let call, let reason): refused(call, reason)
        case .written(let message, let contact):
            guard tellsMessages else { return }
            printer.aside("message", message.fields(contact), sentence: MessageLine(message, contact).line)
        case .incoming, .incomingGroup, .takesGroupCalls, .groupCallGoesOn, .failed, .unread: break
        }
    }

    /// A call that did not ring. What is missed has a notice, too, which says it in plain words.
    private func refused(_ call: Call, _ reason: CallEndReason) {
        var sentence: PlainLine? = .tr("%1$s called. %2$s", call.contact.name, reason.sentence)
        switch reason {
        case .missed, .missedWhileBusy, .missedInBusyMode: sentence = nil
        // Of a call that was accepted nothing else keeps it from ringing.
        case .connectionLost: sentence = PlainLine(AccountNotice.callCutOff(call.contact.name).sentence)
        default: break
        }
        printer.aside(
            "refused",
            [
                "call": .string(call.id.description), "contact": .string(call.contact.name),
                "media": .string(call.media.rawValue), "reason": .string(reason.rawValue),
                "message": .string(reason.sentence),
            ], sentence: sentence)
    }

    /// The first news of each relay is no news unless it is bad.
    private mutating func tell(_ status: RelayStatus) {
        guard status.smpVersion != nil || status.problem != nil else { return }
        var sentence = status.problem.map { PlainLine($0.sentence) }
        if status.smpVersion != nil {
            sentence = lost.remove(status.address) == nil ? nil : .tr("The relay %s is back.", status.address)
        } else {
            lost.insert(status.address)
        }
        printer.aside("relay", printer.fields(of: status), sentence: sentence)
    }

    private func name(_ id: ContactID) -> String { names[id] ?? Contact.unknownName }
}
