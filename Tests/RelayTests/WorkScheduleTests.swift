import BaseKit
import Cryptography
import RelayFixtures
import SMP
import TestSupport
import Testing

@testable import Relay
@testable import RelayRules
@testable import SMPSession

/// Whose turn it is, and who has to wait because of what it cost.
@Suite(.timeLimit(.minutes(5))) struct WorkScheduleTests {
    private static let first = ConnectionOrigin.ipv4(1)
    private static let second = ConnectionOrigin.ipv4(2)

    private var limits: WorkLimits {
        var limits = WorkLimits()
        (limits.sessionCapacity, limits.sessionRate) = (.seconds(1), 0.5)
        (limits.addressCapacity, limits.addressRate) = (.seconds(2), 0.5)
        return limits
    }

    private func schedule(_ sessions: [(SessionNumber, ConnectionOrigin?)]) -> WorkSchedule<String> {
        var schedule = WorkSchedule<String>(limits: limits)
        for (session, origin) in sessions { schedule.start(session, from: origin, at: at(0)) }
        return schedule
    }

    /// Does everything that can be done, each at a cost; what was done, in order.
    private func drain(_ schedule: inout WorkSchedule<String>, cost: Duration = .zero) -> [String] {
        var done: [String] = []
        while let (session, item) = schedule.next() {
            done.append(item)
            _ = schedule.done(session, rest: nil, cost: cost, at: at(0))
        }
        return done
    }

    @Test func `an address with many sessions waits for one with one`() {
        var schedule = schedule([(1, Self.first), (2, Self.first), (3, Self.first), (4, Self.second)])
        for session in 1...3 as ClosedRange<SessionNumber> { for _ in 0..<2 { schedule.add("many", for: session) } }
        schedule.add("one", for: 4)
        #expect(drain(&schedule).prefix(2) == ["many", "one"])
    }

    @Test func `sessions of one address take turns`() {
        var schedule = schedule([(1, Self.first), (2, Self.first)])
        for item in ["a", "b"] { schedule.add(item, for: 1) }
        schedule.add("x", for: 2)
        #expect(drain(&schedule) == ["a", "x", "b"])
    }

    @Test func `what is left of a block comes before the next and after the other's turn`() {
        var schedule = schedule([(1, nil), (2, nil)])
        schedule.add("block", for: 1)
        schedule.add("next", for: 1)
        schedule.add("other", for: 2)
        #expect(schedule.next()?.item == "block")
        // One session does one thing at a time.
        #expect(schedule.next()?.item == "other")
        #expect(!schedule.hasWork)
        _ = schedule.done(1, rest: "rest", cost: .zero, at: at(0))
        #expect(drain(&schedule) == ["rest", "next"])
    }

    @Test func `who used its time up sleeps until it is paid`() {
        var schedule = schedule([(1, Self.first), (2, Self.first)])
        for session in 1...2 as ClosedRange<SessionNumber> { schedule.add("\(session)", for: session) }
        schedule.add("again", for: 1)
        #expect(schedule.next()?.item == "1")
        let (naps, _) = schedule.done(1, rest: nil, cost: .seconds(1.5), at: at(0))
        #expect(naps == [.init(sleeper: .session(1), time: .seconds(1))])
        // Its address has something left for the other session.
        #expect(schedule.next()?.item == "2")
        let (more, _) = schedule.done(2, rest: nil, cost: .seconds(0.75), at: at(0))
        #expect(more == [.init(sleeper: .address(Self.first), time: .seconds(0.5))])
        schedule.wake(.session(1), at: at(1_000))
        #expect(schedule.next()?.item == nil)
        schedule.wake(.address(Self.first), at: at(1_000))
        #expect(schedule.next()?.item == "again")
    }

    @Test func `a new connection does not pay what its address owes`() {
        var schedule = schedule([(1, Self.first)])
        schedule.add("costly", for: 1)
        _ = schedule.next()
        let (naps, _) = schedule.done(1, rest: nil, cost: .seconds(3), at: at(0))
        #expect(naps.count == 2)
        #expect(schedule.end(1, at: at(0)) == true)
        schedule.start(2, from: Self.first, at: at(0))
        schedule.add("next", for: 2)
        #expect(schedule.next()?.item == nil)
        schedule.wake(.address(Self.first), at: at(2_000))
        #expect(schedule.next()?.item == "next")
        _ = schedule.done(2, rest: nil, cost: .zero, at: at(2_000))
        #expect(schedule.end(2, at: at(2_000)) == true)
        #expect(schedule.laneCount == 1)
        schedule.tidy(at: at(100_000))
        #expect(schedule.laneCount == 0)
    }

    @Test func `this machine owes nothing`() {
        var schedule = schedule([(1, nil)])
        schedule.add("costly", for: 1)
        schedule.add("next", for: 1)
        _ = schedule.next()
        #expect(schedule.done(1, rest: nil, cost: .seconds(100), at: at(0)).naps.isEmpty)
        #expect(schedule.next()?.item == "next")
    }

    @Test func `who owes for what is done is known before it is done`() {
        let schedule = schedule([(1, nil), (2, Self.first)])
        #expect(!schedule.isCharged(1))
        #expect(schedule.isCharged(2))
        #expect(!schedule.isCharged(3))
    }

    @Test func `a session that ends during its work ends afterwards`() {
        var schedule = schedule([(1, nil)])
        schedule.add("now", for: 1)
        schedule.add("never", for: 1)
        _ = schedule.next()
        #expect(schedule.end(1, at: at(0)) == false)
        schedule.add("too late", for: 1)
        let (_, hasEnded) = schedule.done(1, rest: "rest", cost: .zero, at: at(0))
        #expect(hasEnded)
        #expect(schedule.next()?.item == nil)
        #expect(schedule.laneCount == 0)
    }

    @Test func `a session that is held does nothing until all holds are released`() {
        var schedule = schedule([(1, nil)])
        schedule.hold(1)
        schedule.hold(1)
        schedule.add("item", for: 1)
        #expect(schedule.next()?.item == nil)
        schedule.release(1)
        #expect(schedule.next()?.item == nil)
        schedule.release(1)
        schedule.release(1)
        #expect(schedule.next()?.item == "item")
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func `everything is done once and in order`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var schedule = WorkSchedule<Int>(limits: limits)
        var given: [SessionNumber: Int] = [:]
        var done: [SessionNumber: Int] = [:]
        var running: [(SessionNumber, Int)] = []
        var asleep: [WorkSchedule<Int>.Sleeper] = []
        for session in 0..<6 as Range<SessionNumber> {
            schedule.start(session, from: session < 2 ? nil : .ipv4(UInt32(session / 2)), at: at(0))
        }
        func work(_ now: Instant) {
            if let next = schedule.next() { running.append(next) }
            guard let (session, item) = running.popLast() else { return }
            if Bool.random(using: &random) {
                asleep += schedule.done(session, rest: item, cost: .seconds(0.3), at: now).naps.map(\.sleeper)
            } else {
                #expect(done[session, default: 0] == item)
                done[session, default: 0] += 1
                asleep += schedule.done(session, rest: nil, cost: .seconds(0.3), at: now).naps.map(\.sleeper)
            }
        }
        for step in 0..<400 {
            let session = SessionNumber.random(in: 0..<6, using: &random)
            if Bool.random(using: &random) {
                schedule.add(given[session, default: 0], for: session)
                given[session, default: 0] += 1
            }
            work(at(step * 1_000))
            if let index = asleep.indices.randomElement(using: &random) {
                schedule.wake(asleep.remove(at: index), at: at(step * 1_000))
            }
        }
        for _ in 0..<10_000 where done != given {
            for sleeper in asleep { schedule.wake(sleeper, at: at(1_000_000)) }
            asleep = []
            work(at(1_000_000))
        }
        #expect(done == given)
    }

    @Test func `what comes while nobody waits may be done at once`() {
        var schedule = schedule([(1, Self.first), (2, Self.second)])
        #expect(schedule.claim(1) == true)
        #expect(!schedule.hasWork)
        // One session does one thing at a time.
        #expect(schedule.claim(1) == false)
        #expect(schedule.claim(2) == true)
        schedule.add("next", for: 1)
        #expect(schedule.next()?.item == nil)
        _ = schedule.done(1, rest: "rest", cost: .zero, at: at(0))
        #expect(drain(&schedule) == ["rest", "next"])
    }

    @Test func `nobody overtakes who waits, or who may do nothing now`() {
        var schedule = schedule([(1, Self.first), (2, Self.second)])
        schedule.add("waits", for: 1)
        #expect(schedule.claim(1) == false)
        #expect(schedule.claim(2) == false)
        #expect(drain(&schedule) == ["waits"])
        schedule.hold(1)
        #expect(schedule.claim(1) == false)
        #expect(schedule.claim(2) == true)
        _ = schedule.done(2, rest: nil, cost: .seconds(10), at: at(0))
        #expect(schedule.claim(2) == false)
        #expect(schedule.claim(3) == false)
        schedule.release(1)
        #expect(schedule.claim(1) == true)
        #expect(schedule.end(1, at: at(0)) == false)
        #expect(schedule.claim(1) == false)
    }

    @Test func `an address that sleeps does nothing at once by another session`() {
        var schedule = schedule([(1, Self.first), (2, Self.first)])
        #expect(schedule.claim(1) == true)
        _ = schedule.done(1, rest: nil, cost: .seconds(10), at: at(0))
        #expect(schedule.claim(2) == false)
    }

    @Test func `one ordinary command is small, and two or one with Ed448 are not`() throws {
        let fixture = CoreFixture()
        let session = fixture.session(1)
        func isSmall(_ key: AuthenticationPrivateKey, count: Int) throws -> Bool {
            let queue = try session.makeQueue(link: .contact(nil), key: key)
            let questions = try (0..<count).map { _ in try session.transmission(.subscribe, queue.recipientID, key) }
            return fixture.core.begin(try Batch.encode(questions.map { try $0.encoded(14) }), session.context).isSmall
        }
        #expect(try isSmall(.ed25519(.init()), count: 1))
        #expect(try isSmall(.x25519(.init()), count: 1))
        #expect(try !isSmall(.ed25519(.init()), count: 2))
        #expect(try !isSmall(.x25519(.init()), count: 2))
        #expect(try !isSmall(.ed448(.init()), count: 1))
    }

    @Test func `a block that costs much takes many turns`() throws {
        let fixture = CoreFixture()
        let session = fixture.session(1)
        let keys = (0..<StoredQueue.maximumRecipientKeys).map { _ in AuthenticationPrivateKey.ed448(.init()) }
        let queue = try session.makeQueue(link: .contact(nil), key: keys[0])
        #expect(try queue.ask(.setRecipientKeys(keys.map(\.publicKey)), in: session) == .ok)
        let questions = try (0..<60).map { _ in try session.transmission(.queueInfo, queue.recipientID, keys[3]) }
        let payload = try Batch.encode(questions.map { try $0.encoded(14) })
        var run = fixture.core.begin(payload, session.context)
        var turns = 1
        while !fixture.core.advance(&run, cost: WorkLimits().slice) { turns += 1 }
        // Two commands with four keys of Ed448 each are more than one turn has.
        #expect(turns >= 20)
        #expect(try fixture.core.finish(run).payloads.flatMap { try session.answers($0) }.count == 60)
    }
}
