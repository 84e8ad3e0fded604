import Calling
import Parley

/// Prints what happens beside a command's own steps: relays, requests, receipts, repairs, what is missing.
struct UpdatePrinter {
    let printer: EventPrinter
    /// Whether the command tells of calls that ring, and of how they end, itself.
    let tellsCalls: Bool
    private var names: [ContactID: String] = [:]
    private var lost: Set<String> = []
    private var asking: Set<Int64> = []

    init(printer: EventPrinter, tellsCalls: Bool = false) {
        self.printer = printer
        self.tellsCalls = tellsCalls
    }

    /// Follows an account until it is closed or the task cancelled.
    mutating func follow(_ updates: AsyncStream<AccountUpdate>) async {
        for await update in updates { take(update) }
    }

    private mutating func take(_ update: AccountUpdate) {
        switch update {
        case .contacts(let contacts): names = Dictionary(uniqueKeysWithValues: contacts.map { ($0.id, $0.name) })
        case .missed(let call):
            guard !(call.rang && tellsCalls) else { return }
            printer.aside(
                "missed",
                [
                    "call": call.id.description, "contact": call.contact.name, "media": call.media.rawValue,
                    "message": call.sentence,
                ], sentence: call.sentence)
        case .relay(let status): take(status)
        case .requests(let requests):
            for request in requests where asking.insert(request.id).inserted {
                printer.aside(
                    "request", ["number": "\(request.id)", "contact": request.name],
                    sentence: "\(request.name) asks to be connected.")
            }
        case .encryption(let id, let state):
            printer.aside(
                "encryption", ["contact": name(id), "state": state.rawValue], sentence: state.sentence(naming: name(id))
            )
        case .integrity(let id, let problem):
            var fields = ["contact": name(id), "problem": problem.word]
            if case .missing(let count) = problem { fields["count"] = "\(count)" }
            printer.aside("integrity", fields, sentence: problem.sentence(naming: name(id)))
        case .moving(let id, let moves):
            printer.aside("rotation", ["contact": name(id), "state": moves ? "moving" : "moved"], sentence: nil)
        case .delivered(let id, let call):
            printer.aside("delivered", ["contact": name(id), "call": call.description], sentence: nil)
        case .storeKey(let status):
            guard let notice = status.notice else { return }
            printer.warning("key", ["place": status.place.rawValue, "message": notice], sentence: notice)
        case .storage(let sentence):
            printer.aside(
                "storage", sentence.map { ["state": "failing", "message": $0] } ?? ["state": "working"],
                sentence: sentence ?? "The profile can be written again.")
        case .settings(let sentence): printer.warning("settings", ["message": sentence], sentence: sentence)
        case .notice(let sentence): printer.aside("notice", ["message": sentence], sentence: sentence)
        case .incoming, .failed: break
        }
    }

    /// The first news of each relay is no news unless it is bad.
    private mutating func take(_ status: RelayStatus) {
        guard status.smpVersion != nil || status.problem != nil else { return }
        var sentence = status.problem
        if status.smpVersion != nil {
            sentence = lost.remove(status.address) == nil ? nil : "The relay \(status.address) is back."
        } else {
            lost.insert(status.address)
        }
        printer.aside("relay", printer.fields(of: status), sentence: sentence)
    }

    private func name(_ id: ContactID) -> String { names[id] ?? "A contact" }
}

extension EncryptionState {
    fileprivate func sentence(naming name: String) -> String {
        switch self {
        case .intact: "Messages with \(name) can be read again; the security code is another one now."
        case .damaged: "Messages with \(name) can't be read."
        case .repairing: "New keys are being agreed with \(name)."
        }
    }
}
