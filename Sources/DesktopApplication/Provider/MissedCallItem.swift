/// A call that came and that nobody here took.
package struct MissedCallItem: Sendable, Equatable {
    /// Who called.
    package let contact: ContactItem
    /// What they wanted.
    package let kind: CallKind
    /// One sentence about it.
    package let sentence: String
    /// Whether it rang here, so that its own page has told of its end.
    package let isTold: Bool

    /// A missed call.
    package init(contact: ContactItem, kind: CallKind, sentence: String, isTold: Bool) {
        self.contact = contact
        self.kind = kind
        self.sentence = sentence
        self.isTold = isTold
    }
}
