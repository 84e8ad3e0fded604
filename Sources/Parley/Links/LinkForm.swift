import AgentProtocol

/// How long a link is.
public enum LinkForm: Sendable {
    /// Short where the relay can keep short links, full otherwise.
    case automatic
    /// Everything is in the link.
    case full
    /// The relay keeps what is behind the link, sealed with a key in it.
    case short
}

/// What a link leads to.
public enum LinkKind: Sendable {
    /// One person who waits for one other.
    case invitation
    /// Somebody whom anybody may ask, and who then accepts or not.
    case address

    /// What a text leads to that a person has pasted; nil when it is no link that can be opened here.
    public init?(link text: String) {
        switch try? AnyLink(parsing: text) {
        case .full(let link):
            switch link.kind {
            case .invitation: self = .invitation
            case .contact: self = .address
            }
        case .short(let link):
            switch link.kind {
            case .invitation: self = .invitation
            case .contact: self = .address
            case .channel, .group, .relay: return nil
            }
        case nil: return nil
        }
    }
}
