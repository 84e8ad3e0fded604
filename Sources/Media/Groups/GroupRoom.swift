import BaseKit
import Cryptography
import MediaRules

/// The media of a group call in a room on a forwarding server: our own path there, and one of each member's feed. Belongs to the session's
/// actor, which does what is said here.
final class GroupRoom {
    /// A feed of the room that a member has.
    struct Feed {
        let member: UInt8
        var path: FeedPath?
        /// The pictures that the server has been asked for: large ones, until it has agreed to others.
        var layer = ForwardedLayer.high
        /// Whether it is being asked for others, and when it may be asked again.
        var isAsking = false
        var nextAsk: Instant?
        /// When it is asked once more for large ones that don't come.
        var wish = LargePictureWish()
        /// How often a connection to it was tried without success.
        var failures = 0
        /// When it is tried again.
        var retry: Instant?
        /// No key opened it: it waits for another.
        var isUnreadable = false
    }

    /// More feeds are not followed: 8 members, and those that a lost connection left behind.
    static let mostFeeds = 16
    /// How often a connection is made anew, and after how long.
    static let mostFailures = 3, pause = Duration.seconds(1)

    /// Another one for each room.
    let number = GroupWays.next()
    let port: any ForwardingPort
    private let feedsKey: SecretBytes
    var own: PublishPath?
    /// How often our own path was made in vain, and when it is made again.
    var ownFailures = 0
    var ownRetry: Instant?
    var feeds: [FeedID: Feed] = [:]
    /// Which pictures are wanted of whom.
    var choice = LayerChoice()
    /// What the others are told of that, and who of them wants our large ones.
    var wishes = LargeWishes()
    var demand = LargeDemand()
    /// How many feeds are in the room that are no member's.
    private(set) var strangers = 0
    /// Hands what the port tells to the session.
    var reader: Task<Void, Never>?
    var isOver = false

    init(_ port: any ForwardingPort, feedsKey: SecretBytes) { (self.port, self.feedsKey) = (port, feedsKey) }

    /// A feed came; gives whether it is one that may be followed.
    func add(_ feed: FeedID, display: String, own: UInt8) -> Bool {
        guard let name = FeedName(display, feed: feed, key: feedsKey), name.member != own else {
            strangers += 1
            return false
        }
        guard feeds[feed] == nil else { return false }
        // Who has left the call still knows how members' feeds are named.
        if feeds.count >= Self.mostFeeds, let useless = feeds.first(where: { $0.value.isUnreadable }) {
            feeds[useless.key] = nil
        }
        guard feeds.count < Self.mostFeeds else { return false }
        feeds[feed] = Feed(member: name.member)
        return true
    }

    /// All feeds of a member.
    func feeds(of member: UInt8) -> [FeedID] { feeds.filter { $0.value.member == member }.map(\.key) }

    /// The ways by which something of a member may come.
    func paths(of member: UInt8) -> [FeedPath] { feeds.values.filter { $0.member == member }.compactMap(\.path) }

    /// All that are there.
    var paths: [FeedPath] { feeds.values.compactMap(\.path) }
}
