import Cryptography
import SMP

/// Whose authenticator a command needs, by the state of the store.
enum KeyLookup: Sendable, Equatable {
    /// One of these keys.
    case keys([AuthenticationPublicKey])
    /// Nobody's: there must be none.
    case open
    /// There is nothing of this id.
    case missing
}

extension QueueStore {
    /// Looks a command's keys up (SMP fact sheet §7, column "auth by").
    func keys(for command: Command, entity: EntityID) -> KeyLookup {
        switch command.tag.credentials.entity {
        case .none, .service, .proxySession: return carriedKey(command).map { .keys([$0]) } ?? .open
        case .recipient: return queues[entity].map { .keys($0.recipientKeys) } ?? .missing
        case .sender:
            guard let queue = senders[entity].flatMap({ queues[$0] }) else { return .missing }
            if let key = carriedKey(command) { return .keys([key]) }
            return queue.senderKey.map { .keys([$0]) } ?? .open
        case .link:
            guard links[entity] != nil else { return .missing }
            return carriedKey(command).map { .keys([$0]) } ?? .open
        case .notifier:
            let notifier = notifiers[entity].flatMap { queues[$0] }?.notifier
            return notifier.map { .keys([$0.key]) } ?? .missing
        }
    }

    /// The key that a command brings along and is authenticated with.
    private func carriedKey(_ command: Command) -> AuthenticationPublicKey? {
        switch command {
        case .new(let request): request.recipientKey
        case .secure(let key), .secureAndGetLink(let key): key
        default: nil
        }
    }
}
