import Notifications
import Portal

/// What other programs of the session may ask of the calls by the application's actions.
enum BusAction: Equatable {
    /// To show the call there is.
    case showCall
    /// To call a contact whose call was missed.
    case callBack(ContactItem.ID, CallKind)
    /// To answer the call that rings.
    case answer(RingingNotification.Answer)

    /// The action of this name; nil for none of ours, or one with another parameter than it has.
    init?(_ name: String, _ parameter: BusValue?) {
        switch (name, parameter) {
        case ("show-call", nil): self = .showCall
        case ("accept", nil): self = .answer(.accept)
        case ("accept-with-sound-only", nil): self = .answer(.acceptWithSoundOnly)
        case ("decline", nil): self = .answer(.decline)
        case ("ignore", nil): self = .answer(.ignore)
        case ("call-back", let parameter?):
            guard let words = parameter.string?.split(separator: " ", maxSplits: 1), words.count == 2,
                let kind = Self.kinds[String(words[0])]
            else { return nil }
            self = .callBack(String(words[1]), kind)
        default: return nil
        }
    }

    private static let kinds: [String: CallKind] = ["audio": .audio, "video": .video]

    /// What `call-back` is told to call somebody.
    static func parameter(_ contact: ContactItem.ID, _ kind: CallKind) -> BusValue {
        .string((kind == .video ? "video " : "audio ") + contact)
    }
}
