/// From where others reach the person, and how that changes.
@MainActor package protocol ReachProvider: AnyObject {
    /// How it is now; nil before the account is open.
    func reach() async -> ReachItem?
    /// Lets others in this network reach the relay inside the program, or nobody else.
    func setOpenToNetwork(_ isOpen: Bool) async throws
    /// Has the router forward the port of that relay, so that people elsewhere reach it, or no more.
    func setPortOpen(_ isOpen: Bool) async throws
    /// Tells each time what is known of that port changes.
    func portChanges() async -> AsyncStream<Void>
    /// Tries a relay: connects, and makes nothing there.
    func testRelay(_ address: String) async -> RelayTestItem
    /// Makes new mailboxes on this relay; with `asksForAddress` calls ask it for this machine's address, too.
    func useRelay(_ address: String, asksForAddress: Bool) async throws
    /// The relays that a list of this machine offers.
    func offeredRelays() throws -> [OfferedRelayItem]
    /// Looks for people nearby, who see the person's name meanwhile.
    func lookAround() async throws -> SurroundingsItem
    /// The relay on which a link waits, if the person's own mailbox for it had better be there, too; nil otherwise.
    func relayToShare(with link: String) async -> String?
}

/// From where others reach the person.
package struct ReachItem: Sendable, Equatable {
    /// How far a link would reach that is made now.
    package enum Extent: Sendable, Equatable { case thisMachine, thisNetwork, everywhere }

    package var extent: Extent
    package var isOpenToNetwork: Bool
    /// Under which name others in this network find the relay, or why they may not: one sentence; nil while it is closed.
    package var network: String?
    /// What is known of the port in the router; nil while it is not to be open.
    package var port: PortItem?
    /// Whether the person's relays are asked for this machine's address.
    package var asksRelays: Bool

    package init(
        extent: Extent = .everywhere, isOpenToNetwork: Bool = false, network: String? = nil, port: PortItem? = nil,
        asksRelays: Bool = false
    ) {
        (self.extent, self.isOpenToNetwork, self.network, self.port) = (extent, isOpenToNetwork, network, port)
        self.asksRelays = asksRelays
    }
}

/// What is known of the port in the router.
package struct PortItem: Sendable, Equatable {
    /// What the router and others say, and what to do.
    package var sentence: String
    /// Whether people elsewhere don't reach the port, and nothing is under way.
    package var isClosed: Bool

    package init(sentence: String, isClosed: Bool) { (self.sentence, self.isClosed) = (sentence, isClosed) }
}

/// What came of trying a relay.
package struct RelayTestItem: Sendable, Equatable {
    /// Whether it can be used.
    package var isGood: Bool
    /// What was found, and what to do about it.
    package var sentence: String

    package init(isGood: Bool, sentence: String) { (self.isGood, self.sentence) = (isGood, sentence) }
}

/// A relay of somebody who offers it.
package struct OfferedRelayItem: Sendable, Equatable {
    package var operatorName: String
    package var address: String
    package var conditions: String
    package var sees: String?
    /// Whether calls can ask it for this machine's address.
    package var findsAddresses: Bool

    package init(
        operatorName: String, address: String, conditions: String, sees: String? = nil, findsAddresses: Bool = false
    ) {
        (self.operatorName, self.address, self.conditions, self.sees) = (operatorName, address, conditions, sees)
        self.findsAddresses = findsAddresses
    }
}

/// People nearby, for as long as the person looks for them.
package struct SurroundingsItem: Sendable {
    /// Somebody.
    package struct Person: Sendable, Hashable, Identifiable {
        package let id: String
        package let name: String

        package init(id: String, name: String) { (self.id, self.name) = (id, name) }
    }

    /// What happens.
    package enum News: Sendable {
        case people([Person])
        case meeting(MeetingItem)
    }

    /// For one reader.
    package let news: AsyncStream<News>
    /// Asks somebody.
    package let meet: @Sendable (Person.ID) async throws -> MeetingItem
    /// Stops looking.
    package let leave: @Sendable () async -> Void

    package init(
        news: AsyncStream<News>, meet: @escaping @Sendable (Person.ID) async throws -> MeetingItem,
        leave: @escaping @Sendable () async -> Void
    ) {
        (self.news, self.meet, self.leave) = (news, meet, leave)
    }
}

/// Somebody nearby who may become a contact.
package struct MeetingItem: Sendable {
    /// What happens.
    package enum News: Sendable {
        case compare(code: String, name: String)
        case connecting
        case connected(ContactItem)
        case failed(String)
    }

    /// For one reader.
    package let news: AsyncStream<News>
    /// The codes are equal.
    package let confirm: @Sendable () -> Void
    /// They are not.
    package let refuse: @Sendable () -> Void

    package init(
        news: AsyncStream<News>, confirm: @escaping @Sendable () -> Void, refuse: @escaping @Sendable () -> Void
    ) {
        (self.news, self.confirm, self.refuse) = (news, confirm, refuse)
    }
}
