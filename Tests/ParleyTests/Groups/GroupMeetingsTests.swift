import BaseKit
import MediaRules
import Signaling
import Testing

@testable import Parley

@Suite(.timeLimit(.minutes(1))) struct GroupMeetingsTests {
    private static let start = Instant.now
    private static let (two, three) = (MemberNumber.first.next!, MemberNumber.first.next!.next!)
    private static let whole = MemberReception(isHeard: true, isSeen: true)

    @Test func `everybody is told of at once`() {
        var watch = GroupMeetingsWatch(.video)
        #expect(watch.look([:], now: Self.start) == nil)
        #expect(watch.look([2: MemberReception(isHeard: true)], now: Self.start) == nil)
        let both = GroupMeetings(heard: [Self.two], seen: [Self.two])
        #expect(watch.look([2: Self.whole], now: Self.start) == both)
        #expect(watch.look([2: Self.whole], now: Self.start + .seconds(9)) == nil)
    }

    @Test func `sound alone is all of a call without pictures`() {
        var watch = GroupMeetingsWatch(.audio)
        #expect(watch.look([2: MemberReception(isHeard: true)], now: Self.start) == GroupMeetings(heard: [Self.two]))
    }

    @Test func `who doesn’t come is waited for only a while`() {
        var watch = GroupMeetingsWatch(.video)
        let some = [UInt8(2): Self.whole, 3: MemberReception(isHeard: true)]
        #expect(watch.look([2: Self.whole, 3: MemberReception()], now: Self.start) == nil)
        #expect(watch.look(some, now: Self.start + .seconds(4)) == nil)
        #expect(watch.look(some, now: Self.start + .seconds(8)) == nil)
        #expect(
            watch.look(some, now: Self.start + .seconds(9))
                == GroupMeetings(heard: [Self.two, Self.three], seen: [Self.two]))
    }

    @Test func `who left is no longer among those met, and is told of again when it is back`() {
        var watch = GroupMeetingsWatch(.video)
        let both = GroupMeetings(heard: [Self.two, Self.three], seen: [Self.two, Self.three])
        #expect(watch.look([2: Self.whole, 3: Self.whole], now: Self.start) == both)
        #expect(watch.look([2: Self.whole], now: Self.start) == GroupMeetings(heard: [Self.two], seen: [Self.two]))
        #expect(watch.look([2: Self.whole, 3: Self.whole], now: Self.start) == both)
    }
}
