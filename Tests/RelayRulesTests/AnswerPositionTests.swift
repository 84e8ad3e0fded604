import RelayFixtures
import SMP
import Testing

@testable import RelayRules

/// Up to where the disk has to be before an answer may leave, and whether it is too far behind.
@Suite(.timeLimit(.minutes(5))) struct AnswerPositionTests {
    private let fixture = CoreFixture()
    private let session: CoreSession

    init() {
        session = fixture.session(1)
        fixture.core.withStore { $0.journal.isKept = true }
    }

    private var position: UInt64 { fixture.core.withStore { $0.journal.position } }

    @Test func `answers wait for the last change of their block`() throws {
        let queue = try session.makeQueue()
        let before = position
        let sends = try (0..<3).map { try session.transmission(.send(notify: false, body: [$0]), queue.senderID) }
        let output = try session.output(of: sends + [session.transmission(.ping)])
        #expect(output.mustBeWritten)
        #expect(output.position == before + 3)
        #expect(position == before + 3)
    }

    @Test func `an answer waits for changes that others made before`() throws {
        let queue = try session.makeQueue()
        let other = fixture.session(2)
        #expect(try queue.send(in: other, secured: false) == .ok)
        let output = try session.output(of: [session.transmission(.suspend, queue.recipientID, queue.recipientKey)])
        #expect(output.mustBeWritten)
        #expect(output.position == position)
    }

    @Test func `what changes nothing waits for nothing`() throws {
        let output = try session.output(of: [session.transmission(.ping)])
        #expect(!output.mustBeWritten)
        #expect(output.position == 0)
    }

    @Test func `the relay is behind while more is not on disk than may be`() throws {
        var limits = StoreLimits()
        limits.unwrittenBytes = 10
        let core = RelayCore(limits: limits) { 1_700_000_000 }
        core.withStore { $0.journal.isKept = true }
        let session = CoreSession(core: core, number: 1, version: 14)
        let queue = try session.makeQueue(subscribes: false)
        #expect(try queue.send(Array(repeating: 1, count: 10), in: session, secured: false) == .ok)
        #expect(!core.isBehind)
        #expect(try queue.send([1], in: session, secured: false) == .ok)
        #expect(core.isBehind)
        core.withStore { $0.wrote($0.journal.position) }
        #expect(!core.isBehind)
    }
}
