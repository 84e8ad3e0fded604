import Calling
import Foundation
import Signaling

/// The group call that a person was in, as it outlives the process: who may be asked to let them come back. Media keys are never
/// kept.
struct KeptGroup: Sendable, Equatable {
    static let name = "group-call"
    /// How long one may come back.
    static let longest: Int64 = 12 * 3_600

    var call: KeptGroupCall
    /// When it was on last, in seconds since 1970.
    var at: Int64

    /// Whether others may still be in it.
    func mayGoOn(at now: Int64) -> Bool { (0...Self.longest).contains(now - at) }

    private struct Stored: Codable {
        var list: Data
        var own: Int
        var media: String
        var contacts: [Int: String]
        var lines: [Int]
        /// Older versions have kept none.
        var room: Int?
        var at: Int64
    }

    /// Nil before there is a list, and with it anybody to ask.
    func encoded() -> [UInt8]? {
        guard call.roster.number > 0,
            let list = try? ChatMessage(.group(call.callID, .roster(call.roster))).encoded()
        else { return nil }
        let contacts = call.contacts.map { (Int($0.key.value), $0.value.rawValue) }
        let stored = Stored(
            list: Data(list), own: Int(call.own.value), media: call.media.rawValue,
            contacts: Dictionary(contacts) { first, _ in first }, lines: call.lines.map { Int($0.value) },
            room: call.highestRoom, at: at)
        return (try? JSONEncoder().encode(stored)).map { [UInt8]($0) }
    }

    init(_ call: KeptGroupCall, at: Int64) { (self.call, self.at) = (call, at) }

    /// Nil for what can't be read.
    init?(decoding bytes: [UInt8]) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)),
            let own = MemberNumber(stored.own), let media = CallMedia(rawValue: stored.media),
            let body = try? ChatBody(decoding: [UInt8](stored.list)),
            case .group(let id, .roster(let roster)) = body.messages.first?.event
        else { return nil }
        let contacts = stored.contacts.compactMap { number, text in
            MemberNumber(number).map { ($0, ContactID(rawValue: text)) }
        }
        call = KeptGroupCall(
            callID: id, media: media, roster: roster, own: own, contacts: Dictionary(contacts) { first, _ in first },
            lines: Set(stored.lines.compactMap { MemberNumber($0) }),
            highestRoom: max(0, min(stored.room ?? 0, GroupRoster.highestNumber)))
        at = stored.at
    }
}
