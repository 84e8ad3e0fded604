import Cryptography

/// The name under which a member's media stand in a room: its number, and a code that only who knows the call's feeds key can make.
///
/// `<member>.<base64url of HMAC-SHA256(feeds key, "parley feed 1" ‖ member ‖ feed)>`, the member as one byte and the feed as eight, most
/// significant first. So somebody who finds the room can't be taken for a member, nor can the server call a feed by another's number.
package struct FeedName: Sendable, Equatable {
    private static let label = Array("parley feed 1".utf8)
    /// The longest name: three digits, a point and 43 characters.
    private static let longest = 47

    package let member: UInt8
    /// What is told to the server as the display name.
    package let display: String

    /// The name of our own feed.
    package init(of member: UInt8, feed: FeedID, key: SecretBytes) {
        self.member = member
        display = "\(member)." + Base64URL.encode(Self.code(of: member, feed: feed, key: key), padded: false)
    }

    /// Reads a name that the server tells of a feed; nil for one that no member of the call has made for it.
    package init?(_ display: String, feed: FeedID, key: SecretBytes) {
        guard display.utf8.count <= Self.longest, let point = display.firstIndex(of: "."),
            let member = UInt8(digits: display[..<point]), member > 0
        else { return nil }
        let own = FeedName(of: member, feed: feed, key: key)
        guard constantTimeEqual(Array(display.utf8), Array(own.display.utf8)) else { return nil }
        self = own
    }

    private static func code(of member: UInt8, feed: FeedID, key: SecretBytes) -> [UInt8] {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: feed.value >> (56 - 8 * $0)) }
        return HMAC.sha256(label + [member] + number, key: key)
    }
}
