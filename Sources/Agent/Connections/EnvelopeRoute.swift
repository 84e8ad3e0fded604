/// What a message that came in on a receive queue is, by the two facts known before anything is decrypted.
///
/// Agent fact sheet §3 and §11.2.
enum EnvelopeRoute: Equatable, Sendable {
    /// The first message of the queue: it brings the sender's key, from which the secret is made.
    case first
    /// A message under the queue's secret.
    case regular
    /// A key on a queue that already has its secret: only a repeated confirmation is acceptable.
    case repeatedFirst
    /// No secret and no key: nothing can be opened.
    case prohibited

    /// Chooses by whether the queue has its secret and whether the envelope brings a key.
    init(queueHasSecret: Bool, envelopeHasKey: Bool) {
        switch (queueHasSecret, envelopeHasKey) {
        case (false, true): self = .first
        case (true, false): self = .regular
        case (true, true): self = .repeatedFirst
        case (false, false): self = .prohibited
        }
    }
}
