import Cryptography
import Signaling
import Testing

@testable import Calling

@Suite("Own key of a group call", .timeLimit(.minutes(5)))
struct KeyScheduleTests {
    private let two = GroupSamples.number(2)
    private let three = GroupSamples.number(3)
    private let four = GroupSamples.number(4)

    private func schedule(_ holders: MemberNumber...) -> KeySchedule {
        var schedule = KeySchedule(call: GroupSamples.id, secret: GroupSamples.secret(1))
        for holder in holders { _ = schedule.admit(holder) { GroupSamples.secret(8) } }
        return schedule
    }

    /// Made by another program: HKDF of RFC 5869 with SHA-256 in Python.
    @Test func `a step has the bytes of an independent implementation`() throws {
        let call = try #require(CallID(bytes: Array(100..<116)))
        let first = GroupKeyStep.next(SecretBytes(Array(0..<32)), call: call)
        #expect(first.bytes.map { String($0, radix: 16) }.prefix(4) == ["53", "8b", "f", "cc"])
        #expect(GroupKeyStep.next(first, call: call).bytes.suffix(4) == [0xaf, 0x27, 0x02, 0xdc])
    }

    @Test func `who comes is given the next step, which is used at once`() {
        var schedule = schedule()
        let before = schedule.current
        let (key, receivers) = schedule.admit(two) { GroupSamples.secret(9) }
        #expect(receivers == [two] && key.epoch == 0 && key.step == 1)
        #expect(key.secret == GroupKeyStep.next(before.secret, call: GroupSamples.id))
        #expect(schedule.current == key)
    }

    @Test func `who has the key and asks for it gets it as it is`() {
        var schedule = schedule(two)
        let before = schedule.current
        #expect(schedule.admit(two) { GroupSamples.secret(9) }.key == before)
    }

    @Test func `when somebody goes the others get a new secret, used when all have confirmed it`() throws {
        var schedule = schedule(two, three, four)
        let before = schedule.current
        let (key, receivers) = try #require(schedule.exclude(three) { GroupSamples.secret(9) })
        #expect(receivers == [two, four] && key == GroupKey(epoch: 1, step: 0, secret: GroupSamples.secret(9)))
        #expect(schedule.current == before)
        #expect(!schedule.confirmed(two, epoch: 1) && !schedule.confirmed(four, epoch: 0))
        #expect(schedule.confirmed(four, epoch: 1) && schedule.current == key)
    }

    @Test func `who has not confirmed a new secret is not waited for for ever`() throws {
        var schedule = schedule(two, three)
        let (key, _) = try #require(schedule.exclude(three) { GroupSamples.secret(9) })
        #expect(schedule.timeIsOver() && schedule.current == key && !schedule.isChanging)
        let isUsedAgain = schedule.timeIsOver()
        #expect(!isUsedAgain)
    }

    @Test func `who comes while a new secret waits gets that one, and nothing of the former`() throws {
        var schedule = schedule(two, three)
        let before = schedule.current
        let (waiting, _) = try #require(schedule.exclude(three) { GroupSamples.secret(9) })
        let (key, receivers) = schedule.admit(four) { GroupSamples.secret(7) }
        #expect(receivers == [four] && key.epoch == 1 && key.step == 1 && schedule.current == before)
        #expect(key.secret == GroupKeyStep.next(waiting.secret, call: GroupSamples.id))
        // The confirmation of the first of it counts: its holders follow the step by themselves.
        #expect(schedule.confirmed(two, epoch: 1) && schedule.current == key)
    }

    @Test func `another one going while a new secret waits makes it void`() throws {
        var schedule = schedule(two, three, four)
        _ = schedule.exclude(three) { GroupSamples.secret(9) }
        let (key, receivers) = try #require(schedule.exclude(two) { GroupSamples.secret(7) })
        #expect(receivers == [four] && key == GroupKey(epoch: 2, step: 0, secret: GroupSamples.secret(7)))
        let isUsed = schedule.confirmed(four, epoch: 1)
        #expect(!isUsed)
        #expect(schedule.confirmed(four, epoch: 2) && schedule.current == key)
    }

    @Test func `nobody needs a new secret because of one who never had the key`() {
        var schedule = schedule(two)
        #expect(schedule.exclude(three) { GroupSamples.secret(9) } == nil)
        #expect(schedule.current.epoch == 0)
    }

    @Test func `steps stay within what receivers follow: after twelve a new secret begins`() {
        var schedule = schedule()
        for round in 0..<40 {
            _ = schedule.admit(two) { GroupSamples.secret(UInt8(round)) }
            _ = schedule.timeIsOver()
            #expect(schedule.current.step <= GroupKeyStep.most)
            schedule.forget(two)
        }
        #expect(schedule.current.epoch >= 2)
    }

    @Test func `beginning anew has another epoch and nobody with a key`() {
        var schedule = schedule(two, three)
        schedule.restart(GroupSamples.secret(7))
        #expect(schedule.current.epoch == 1 && schedule.current.step == 0 && schedule.holders.isEmpty)
        schedule.wipe()
        #expect(schedule.current.secret.count == 0)
    }
}
