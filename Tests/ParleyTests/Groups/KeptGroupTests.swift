import Calling
import Foundation
import Signaling
import Testing

@testable import Parley

@Suite("What is kept of a call of several", .timeLimit(.minutes(1))) struct KeptGroupTests {
    private static func kept() throws -> KeptGroup {
        let name = try #require(MemberName(parsing: "Ada"))
        let second = try #require(MemberNumber(2))
        let roster = GroupRoster(
            number: 7, host: .first, lastGiven: second,
            members: [GroupMember(number: .first, name: name, standing: .isIn)], route: .room, hasServer: true)
        let call = KeptGroupCall(
            callID: .random(), media: .video, roster: roster, own: .first,
            contacts: [second: ContactID(rawValue: "Bo")], lines: [second], highestRoom: 3)
        return KeptGroup(call, at: 1_000)
    }

    /// The same with another value of a field, or without it.
    private static func changed(_ bytes: [UInt8], _ field: String, to value: Int?) throws -> [UInt8] {
        var fields = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        fields[field] = value
        return [UInt8](try JSONSerialization.data(withJSONObject: fields))
    }

    @Test func `it can be read also after the host has left, and who has come back is in again`() throws {
        var kept = try Self.kept()
        let name = try #require(MemberName(parsing: "Ada"))
        let (own, third) = (try #require(MemberNumber(2)), try #require(MemberNumber(3)))
        kept.call.own = own
        kept.call.roster.members += [own, third].map { GroupMember(number: $0, name: name, standing: .isIn) }
        kept.call.roster.lastGiven = third
        kept.call.note([.first], areIn: false)
        #expect(kept.call.hasOthers && kept.call.roster.host == own)
        #expect(KeptGroup(decoding: try #require(kept.encoded())) == kept)
        kept.call.note([.first], areIn: true)
        #expect(kept.call.roster.members.map(\.standing) == [.isIn, .isIn, .isIn])
        kept.call.note([.first, third], areIn: false)
        #expect(!kept.call.hasOthers)
        #expect(KeptGroup(decoding: try #require(kept.encoded())) == kept)
    }

    @Test func `one may come back for twelve hours`() throws {
        let kept = try Self.kept()
        #expect(kept.mayGoOn(at: kept.at) && kept.mayGoOn(at: kept.at + KeptGroup.longest))
        #expect(!kept.mayGoOn(at: kept.at + KeptGroup.longest + 1) && !kept.mayGoOn(at: kept.at - 1))
    }

    @Test func `it is read back as it was written`() throws {
        let kept = try Self.kept()
        #expect(KeptGroup(decoding: try #require(kept.encoded())) == kept)
    }

    @Test func `of an older version no room is known, and a number out of bounds does no harm`() throws {
        let bytes = try #require(try Self.kept().encoded())
        #expect(KeptGroup(decoding: try Self.changed(bytes, "room", to: nil))?.call.highestRoom == 0)
        #expect(KeptGroup(decoding: try Self.changed(bytes, "room", to: -5))?.call.highestRoom == 0)
        #expect(
            KeptGroup(decoding: try Self.changed(bytes, "room", to: .max))?.call.highestRoom
                == GroupRoster.highestNumber)
    }
}
