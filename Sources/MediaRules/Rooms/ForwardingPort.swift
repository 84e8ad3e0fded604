/// What a forwarding server calls one sender's media in a room.
public struct FeedID: Sendable, Hashable, CustomStringConvertible {
    public let value: UInt64

    public init(_ value: UInt64) { self.value = value }

    public var description: String { String(value) }
}

/// A room on a server that forwards media unseen (an SFU), as far as media need it: what is behind it has joined the room already, under
/// a ``FeedName``.
///
/// The own media go by one connection, those of each feed by another; each has one offer and one answer. Descriptions and candidates that
/// come from the server are checked by who uses the port. What waits in it ends with an error when it is closed.
public protocol ForwardingPort: Sendable {
    /// What happens in the room, in order, for one reader; ends behind ``ForwardingEvent/closed``. Who has joined gets each feed that was
    /// there as one that came.
    var events: AsyncStream<ForwardingEvent> { get }

    /// Sends our media to the room: takes the offer, gives the server's answer. Called again, it ends the connection before, whatever has
    /// become of it, and makes another in its place, under the same feed.
    func publish(_ offer: String) async throws -> String

    /// Asks for what a feed sends: gives the server's offer. Of a feed that was asked for already it makes another connection in the
    /// place of the first.
    func subscribe(to feed: FeedID) async throws -> String

    /// Answers the server's offer of a feed.
    func answer(_ answer: String, of feed: FeedID) async throws

    /// Gives the server further candidates of ours. Those of a connection that is gone are let go.
    func add(_ candidates: [MediaCandidate], of connection: ForwardedConnection) async

    /// Chooses which pictures of a feed come. Sound is not touched.
    func configure(_ feed: FeedID, layer: ForwardedLayer) async throws

    /// Wants no more of a feed; its connection ends.
    func unsubscribe(from feed: FeedID) async

    /// The machine's network is another one: whether signaling still leads to the server is looked at at once.
    func networkChanged() async

    /// Leaves the room; ends all connections.
    func close() async
}

/// One of the connections to a forwarding server.
public enum ForwardedConnection: Sendable, Hashable {
    /// That of our own media.
    case own
    case feed(FeedID)
}

/// The pictures of a feed that a server forwards.
public enum ForwardedLayer: String, Sendable, Hashable, CaseIterable {
    /// The larger ones.
    case high
    /// The smaller ones, where the sender has them.
    case low
    /// The smallest ones.
    case lowest
    case none
}

/// What happens in a room on a forwarding server.
public enum ForwardingEvent: Sendable, Equatable {
    /// Somebody sends, under a name that says who (``FeedName``).
    case feedCame(FeedID, display: String)
    /// It sends no more.
    case feedWent(FeedID)
    /// The server has ended a connection. Not told of one that was ended from here.
    case hungUp(ForwardedConnection)
    /// Nothing is heard of the server's signaling; media may go on.
    case lost
    /// It is heard again. Feeds that came or went meanwhile are told.
    case restored
    /// The room is no more, or we are no longer in it.
    case closed
}
