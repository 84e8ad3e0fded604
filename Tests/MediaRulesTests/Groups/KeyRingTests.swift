import BaseKit
import Cryptography
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct KeyRingTests {
    private static let call = (1...16).map { UInt8($0) }
    private static let start = Instant(sinceStart: .seconds(100))

    /// One member that seals.
    private struct Sender {
        var key: GroupFrameKey
        var member: UInt8 = 1
        var counters = GroupFrameCounters()

        init(epoch: UInt8 = 0, secret: UInt8 = 1) throws {
            key = try GroupFrameKey(epoch: epoch, step: 0, secret: SecretBytes([UInt8](repeating: secret, count: 32)))
        }

        mutating func step(_ count: Int = 1) throws { for _ in 0..<count { key = try key.next(in: call) } }

        mutating func rotate(secret: UInt8) throws {
            key = try GroupFrameKey(
                epoch: key.epoch &+ 1, step: 0, secret: SecretBytes([UInt8](repeating: secret, count: 32)))
        }

        mutating func frame(_ stream: GroupStream = .sound, counter: UInt32? = nil) throws -> [UInt8] {
            let counter = try counter ?? counters.next(of: stream)
            return try GroupFrameCipher(key, member: member, call: call)
                .seal([0x11] + [UInt8](repeating: 7, count: 20), of: stream, counter: counter)
        }
    }

    private func ring(_ key: GroupFrameKey, of member: UInt8 = 1) throws -> KeyRing {
        var ring = try KeyRing(call: Self.call)
        try ring.give(key, of: member, now: Self.start)
        return ring
    }

    private func opens(_ frame: [UInt8], _ ring: inout KeyRing, after: Duration = .zero) -> Bool {
        (try? ring.open(frame, from: 1, now: Self.start + after)) != nil
    }

    @Test func `a frame opens once`() throws {
        var sender = try Sender()
        var ring = try ring(sender.key)
        for stream in GroupStream.allCases {
            let frame = try sender.frame(stream)
            #expect(opens(frame, &ring))
            #expect(throws: GroupFrameError.replayed) { try ring.open(frame, from: 1, now: Self.start) }
        }
    }

    @Test func `frames that overtake one another open, and those too far behind do not`() throws {
        var sender = try Sender()
        var ring = try ring(sender.key)
        let frames = try (0..<300).map { try sender.frame(counter: UInt32($0)) }
        for index in [200, 199, 73, 100, 150] { #expect(opens(frames[index], &ring)) }
        #expect(!opens(frames[72], &ring) && !opens(frames[100], &ring) && opens(frames[74], &ring))
        #expect(opens(frames[299], &ring) && !opens(frames[171], &ring) && opens(frames[172], &ring))
    }

    @Test func `the window tells what a set of all accepted counters tells`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<50 {
            var (window, accepted, newest) = (ReplayWindow(), Set<UInt32>(), UInt32(0))
            var centre = UInt32.random(in: 0...(.max - 10_000), using: &generator)
            for _ in 0..<400 {
                if generator.next() % 40 == 0 { centre += UInt32.random(in: 0...300, using: &generator) }
                let counter = centre + UInt32.random(in: 0...160, using: &generator)
                let isFresh =
                    accepted.isEmpty || counter > newest || newest - counter < 128 && !accepted.contains(counter)
                #expect(window.admits(counter) == isFresh)
                guard isFresh, generator.next() % 4 > 0 else { continue }
                window.accept(counter)
                accepted.insert(counter)
                newest = max(newest, counter)
            }
        }
    }

    @Test func `what does not authenticate moves no window and no step`() throws {
        var sender = try Sender()
        var ring = try ring(sender.key)
        var far = sender
        try far.step(3)
        var forged = try far.frame(counter: 5_000)
        forged[10] ^= 1
        #expect(throws: GroupFrameError.notAuthentic) { try ring.open(forged, from: 1, now: Self.start) }
        #expect(ring.newest(of: 1)?.step == 0)
        #expect(try opens(sender.frame(counter: 0), &ring))
    }

    @Test func `a frame of another member is refused, whoever brings it`() throws {
        var (ann, ben) = (try Sender(), try Sender(secret: 2))
        ben.member = 2
        var ring = try ring(ann.key)
        try ring.give(ben.key, of: 2, now: Self.start)
        let frame = try ben.frame()
        #expect(throws: GroupFrameError.foreignMember) { try ring.open(frame, from: 1, now: Self.start) }
        #expect(throws: GroupFrameError.unknownKey) {
            var frame = frame
            frame[frame.count - 1] = 3
            return try ring.open(frame, from: 3, now: Self.start)
        }
        // Ann's key does not open what says it is Ben's.
        ann.member = 2
        #expect(throws: GroupFrameError.notAuthentic) { try ring.open(ann.frame(), from: 2, now: Self.start) }
        #expect(try ring.open(frame, from: 2, now: Self.start).count == 21)
    }

    @Test func `an unknown stream, and an epoch without a key, are refused`() throws {
        var sender = try Sender()
        var ring = try ring(sender.key)
        var frame = try sender.frame()
        frame[frame.count - 2] = UInt8(GroupStream.allCases.count)
        #expect(throws: GroupFrameError.foreignStream) { try ring.open(frame, from: 1, now: Self.start) }
        try sender.rotate(secret: 9)
        #expect(throws: GroupFrameError.unknownKey) { try ring.open(sender.frame(), from: 1, now: Self.start) }
    }

    @Test func `sixteen steps ahead are followed, and no more`() throws {
        var sender = try Sender()
        var ring = try ring(sender.key)
        try sender.step(17)
        #expect(throws: GroupFrameError.foreignStep) { try ring.open(sender.frame(), from: 1, now: Self.start) }
        var near = try Sender()
        near.counters = sender.counters
        try near.step(16)
        #expect(try opens(near.frame(), &ring))
        #expect(ring.newest(of: 1)?.step == 16)
        sender.counters = near.counters
        #expect(try opens(sender.frame(), &ring))
    }

    @Test func `frames of the step before still open for five seconds`() throws {
        var sender = try Sender()
        var ring = try ring(sender.key)
        #expect(try opens(sender.frame(), &ring))
        let (late, later) = (try sender.frame(), try sender.frame())
        try sender.step()
        #expect(try opens(sender.frame(), &ring))
        #expect(opens(late, &ring, after: .milliseconds(4_999)))
        #expect(!opens(later, &ring, after: .seconds(5)))
    }

    @Test func `the former epoch opens for five seconds, and its keys are gone then`() throws {
        var sender = try Sender()
        var ring = try ring(sender.key)
        let (late, later) = (try sender.frame(), try sender.frame())
        try sender.rotate(secret: 2)
        try ring.give(sender.key, of: 1, now: Self.start)
        #expect(opens(late, &ring, after: .milliseconds(4_999)))
        #expect(try opens(sender.frame(), &ring, after: .milliseconds(4_999)))
        ring.expire(now: Self.start + .seconds(5))
        #expect(!opens(later, &ring))
        #expect(try opens(sender.frame(), &ring, after: .seconds(60)))
    }

    @Test func `a key that comes again changes nothing`() throws {
        var sender = try Sender()
        let first = sender.key
        var ring = try ring(first)
        try sender.step(2)
        let frame = try sender.frame()
        #expect(opens(frame, &ring))
        for key in [first, try first.next(in: Self.call), sender.key] { try ring.give(key, of: 1, now: Self.start) }
        #expect(ring.newest(of: 1)?.step == 2)
        #expect(throws: GroupFrameError.replayed) { try ring.open(frame, from: 1, now: Self.start) }
    }

    @Test func `who begins anew with the number of a former epoch is heard at once`() throws {
        var sender = try Sender()
        var ring = try ring(sender.key)
        for _ in 0..<5 { #expect(try opens(sender.frame(), &ring)) }
        var again = try Sender(secret: 77)
        try ring.give(again.key, of: 1, now: Self.start)
        #expect(try opens(again.frame(), &ring))
        #expect(try !opens(sender.frame(), &ring))
    }

    @Test func `who comes later can't open what came before`() throws {
        var sender = try Sender()
        var early = try ring(sender.key)
        let before = try (0..<20).map { _ in try sender.frame() }
        try sender.step()
        // All that the newcomer is ever given.
        var newcomer = try ring(sender.key)
        for frame in before { #expect(!opens(frame, &newcomer)) }
        for frame in try (0..<20).map({ _ in try sender.frame() }) {
            #expect(opens(frame, &newcomer) && opens(frame, &early))
        }
        // Nor with the bytes relabelled to the step whose secret there is.
        for var frame in before {
            frame[frame.count - 3] = 1
            #expect(!opens(frame, &newcomer))
        }
        for frame in before { #expect(opens(frame, &early)) }
    }

    @Test func `who was removed can't open what comes after`() throws {
        var sender = try Sender()
        var (removed, rest) = (try ring(sender.key), try ring(sender.key))
        #expect(try opens(sender.frame(), &removed))
        try sender.rotate(secret: 2)
        try rest.give(sender.key, of: 1, now: Self.start)
        for _ in 0..<20 {
            let frame = try sender.frame()
            #expect(opens(frame, &rest) && !opens(frame, &removed))
            // Nor with what the removed one can make of its key: any step, any label.
            for step in UInt8(0)...16 {
                var relabelled = frame
                (relabelled[frame.count - 4], relabelled[frame.count - 3]) = (0, step)
                #expect(!opens(relabelled, &removed))
            }
        }
    }

    @Test func `of a member that is removed nothing opens`() throws {
        var sender = try Sender()
        var ring = try ring(sender.key)
        ring.remove(1)
        #expect(throws: GroupFrameError.unknownKey) { try ring.open(sender.frame(), from: 1, now: Self.start) }
        #expect(ring.newest(of: 1) == nil)
    }

    @Test func `a frame opens once on each way, and on a new way none that is far behind`() throws {
        var sender = try Sender()
        var ring = try ring(sender.key)
        let frames = try (0..<200).map { _ in try sender.frame() }
        for frame in frames { _ = try ring.open(frame, from: 1, by: 1, now: Self.start) }
        #expect(throws: GroupFrameError.replayed) { try ring.open(frames[199], from: 1, by: 1, now: Self.start) }
        for index in [71, 0] {
            #expect(throws: GroupFrameError.replayed) { try ring.open(frames[index], from: 1, by: 2, now: Self.start) }
        }
        for index in [72, 199] { _ = try ring.open(frames[index], from: 1, by: 2, now: Self.start) }
        #expect(throws: GroupFrameError.replayed) { try ring.open(frames[199], from: 1, by: 2, now: Self.start) }
    }

    @Test func `however many ways there are, only the last are remembered`() throws {
        var sender = try Sender()
        var ring = try ring(sender.key)
        let frame = try sender.frame()
        for way in 1...1_000 { _ = try ring.open(frame, from: 1, by: way, now: Self.start) }
        #expect(throws: GroupFrameError.replayed) { try ring.open(frame, from: 1, by: 1_000, now: Self.start) }
    }

    @Test func `a later key has a higher number, and one that was known keeps its`() throws {
        var sender = try Sender()
        var ring = try ring(sender.key)
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 21, alignment: 1)
        defer { output.deallocate() }
        var numbers: [Int] = []
        for _ in 0..<3 {
            let frame = try sender.frame()
            numbers.append(
                try frame.withUnsafeBytes { try ring.open($0, from: 1, into: output, now: Self.start) }.generation)
            try ring.give(sender.key, of: 1, now: Self.start)
            if numbers.count == 2 { try sender.rotate(secret: 9) }
            try ring.give(sender.key, of: 1, now: Self.start)
        }
        #expect(numbers[0] == numbers[1] && numbers[2] > numbers[1])
    }
}
