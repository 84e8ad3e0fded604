import Calling
import Signaling
import Testing

@testable import Parley

/// Ben has left a call of Anna, a contact, and Cleo, whom he has a line to. Then whatever follows.
@Suite("The way back into a call of several", .timeLimit(.minutes(1))) struct WayBackTests {
    private let id = CallID.random()
    private let anna = GroupPeer.contact(ContactID(rawValue: "Anna"))
    private let annaID = ContactID(rawValue: "Anna")
    private let cleo = GroupPeer.line(Self.number(3))

    private static func number(_ value: Int) -> MemberNumber { MemberNumber(value) ?? .first }

    /// The call as Ben has it with a number; Anna (1) and Cleo (3) are in.
    private func call(_ id: CallID? = nil, list: Int = 7, own: Int = 2) throws -> KeptGroupCall {
        let name = try #require(MemberName(parsing: "Ada"))
        let members = [1, own, 3].sorted().map {
            GroupMember(number: Self.number($0), name: name, standing: .isIn)
        }
        return KeptGroupCall(
            callID: id ?? self.id, media: .audio,
            roster: GroupRoster(
                number: list, host: .first, lastGiven: Self.number(max(own, 3)), members: members),
            own: Self.number(own), contacts: [.first: annaID], lines: [Self.number(3)])
    }

    /// After he has left.
    private func left() throws -> WayBack {
        var way = WayBack()
        #expect(way.keep(try call(), isIn: true, at: 0))
        return way
    }

    private func hear(_ message: GroupMessage, _ peer: GroupPeer, in way: inout WayBack) {
        way.hear(message, of: id, from: peer)
    }

    // MARK: The end

    @Test func `it is there until the last one has left`() throws {
        var way = try left()
        hear(.leave, anna, in: &way)
        #expect(way.kept?.call.hasOthers == true)
        hear(.leave, cleo, in: &way)
        #expect(way.kept == nil)
    }

    @Test(arguments: [GroupEnding.call, nil]) func `the end of the call takes it`(ending: GroupEnding?) throws {
        var way = try left()
        hear(.over(ending), cleo, in: &way)
        #expect(way.kept == nil)
    }

    @Test func `the end of another call, and one who leaves that, are no word about it`() throws {
        var way = try left()
        for message in [GroupMessage.leave, .over(.call), .over(nil)] {
            way.hear(message, of: .random(), from: anna)
            way.hear(message, of: .random(), from: cleo)
        }
        #expect(way.kept?.call == (try call()))
    }

    @Test func `who comes back keeps it`() throws {
        var way = try left()
        let nonce = try #require(RejoinNonce(bytes: Array(0..<16)))
        hear(.leave, cleo, in: &way)
        hear(.rejoin(GroupRejoin(member: Self.number(3), nonce: nonce)), cleo, in: &way)
        hear(.leave, anna, in: &way)
        #expect(way.kept?.call.hasOthers == true)
    }

    @Test func `who was put out while they left has none`() throws {
        var way = try left()
        hear(.remove(Self.number(2)), cleo, in: &way)
        #expect(way.kept != nil, "only the host puts anybody out")
        hear(.remove(Self.number(2)), anna, in: &way)
        #expect(way.kept == nil)
    }

    @Test func `what was kept before the end, and is read behind it, leads nowhere`() throws {
        var way = try left()
        hear(.over(.call), anna, in: &way)
        #expect(!way.keep(try call(), isIn: false, at: 0) && way.kept == nil)
    }

    @Test func `what was kept before others left, and is read behind that, does not bring them back`() throws {
        var way = try left()
        hear(.leave, anna, in: &way)
        #expect(way.keep(try call(list: 8), isIn: false, at: 0))
        hear(.leave, cleo, in: &way)
        #expect(way.kept == nil)
    }

    @Test func `who is in a call again that was over for them may come back after leaving it`() throws {
        var way = try left()
        hear(.over(.call), anna, in: &way)
        #expect(way.keep(try call(list: 9, own: 5), isIn: true, at: 0) && way.kept?.call.own == Self.number(5))
    }

    // MARK: Called back

    @Test func `an invitation that is taken back leaves it, whatever was answered`() throws {
        for isAnswered in [false, true] {
            var way = try left()
            way.called(into: id, by: annaID)
            if isAnswered { way.answered(id, of: annaID) }
            hear(.over(.invitation), anna, in: &way)
            #expect(way.kept != nil)
        }
    }

    @Test func `the end of the call takes it also from who is being called back`() throws {
        var way = try left()
        way.called(into: id, by: annaID)
        hear(.over(.call), anna, in: &way)
        #expect(way.kept == nil)
    }

    @Test func `an earlier version takes back its invitation first, and then ends the call`() throws {
        var way = try left()
        way.called(into: id, by: annaID)
        hear(.over(nil), anna, in: &way)
        #expect(way.kept != nil)
        hear(.over(nil), anna, in: &way)
        #expect(way.kept == nil)
    }

    @Test func `an earlier version that has had an answer ends the call at once`() throws {
        var way = try left()
        way.called(into: id, by: annaID)
        way.answered(id, of: annaID)
        hear(.over(nil), anna, in: &way)
        #expect(way.kept == nil)
    }

    @Test func `an answer to an invitation into another call is none to this one`() throws {
        var way = try left()
        way.called(into: id, by: annaID)
        way.answered(.random(), of: annaID)
        hear(.over(nil), anna, in: &way)
        #expect(way.kept != nil)
    }

    // MARK: Joining anew

    @Test func `who accepts an invitation back in that is taken back meanwhile keeps the former way`() throws {
        var way = try left()
        way.called(into: id, by: annaID)
        #expect(!way.keep(try call(list: 0, own: 5), isIn: true, at: 0))
        hear(.over(.invitation), anna, in: &way)
        way.end(id)
        #expect(way.kept?.call == (try call()))
    }

    @Test func `who accepts an invitation back in and hears of the end has none`() throws {
        var way = try left()
        #expect(!way.keep(try call(list: 0, own: 5), isIn: true, at: 0))
        hear(.over(.call), anna, in: &way)
        way.end(id)
        #expect(way.kept == nil)
    }

    @Test func `who is in again comes back by the new number, and has no way back after the end of it`() throws {
        var way = try left()
        #expect(!way.keep(try call(list: 0, own: 5), isIn: true, at: 0))
        #expect(way.keep(try call(list: 8, own: 5), isIn: true, at: 0))
        #expect(way.kept?.call.own == Self.number(5))
        way.end(id)
        #expect(way.kept == nil)
    }

    // MARK: Another call

    @Test func `another call takes its place once there is a list of it`() throws {
        let other = CallID.random()
        var way = try left()
        #expect(!way.keep(try call(other, list: 0), isIn: true, at: 0) && way.kept?.call.callID == id)
        way.end(other)
        #expect(way.kept?.call.callID == id)
        #expect(way.keep(try call(other, list: 1), isIn: true, at: 0) && way.kept?.call.callID == other)
    }

    @Test func `a call to which nobody has come takes nobody's way back`() throws {
        var (way, alone) = (try left(), try call(.random()))
        alone.note([.first, Self.number(3)], areIn: false)
        #expect(!way.keep(alone, isIn: true, at: 0) && way.kept?.call.callID == id)
    }
}
