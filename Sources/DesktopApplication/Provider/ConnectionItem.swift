/// The way to a contact, as the windows show it.
package struct ConnectionItem: Sendable, Hashable {
    /// The hosts of the relays where their messages come in.
    package var receiving: [String]
    /// The host of the relay where they fetch ours; nil before that is known.
    package var sending: String?
    /// How many messages wait to be taken by their relay.
    package var waiting: Int

    /// A way over these relays.
    package init(receiving: [String], sending: String?, waiting: Int) {
        self.receiving = receiving
        self.sending = sending
        self.waiting = waiting
    }
}
