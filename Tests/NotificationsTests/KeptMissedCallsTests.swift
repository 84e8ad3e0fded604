import BaseKit
import Testing

@testable import Notifications

/// Missed calls where somebody keeps notifications beyond the program's end.
@Suite(.timeLimit(.minutes(1))) struct KeptMissedCallsTests {
    /// One missed call of Ada, which ":1.5" keeps.
    private func kept(hasServer: Bool = true) -> MissedCallNotifications {
        var missed = MissedCallNotifications(hasServer: hasServer)
        _ = missed.keeper(is: ":1.5")
        _ = missed.missed("Ada", isLasting: true)
        return missed
    }

    @Test func `what is missed goes to the keeper, with the count, and not to the server`() {
        var missed = MissedCallNotifications(hasServer: true)
        #expect(missed.keeper(is: ":1.5").isEmpty)
        for count in 1...2 {
            #expect(
                missed.missed("Ada", isLasting: true) == [.keep(person: "Ada", count: count, owner: ":1.5")])
        }
    }

    @Test func `no server is wanted where somebody keeps what is missed`() {
        var missed = MissedCallNotifications()
        #expect(missed.missed("Ada", isLasting: true) == [.startServer])
        #expect(missed.keeper(is: ":1.5") == [.keep(person: "Ada", count: 1, owner: ":1.5")])
        #expect(missed.missed("Ada", isLasting: true) == [.keep(person: "Ada", count: 2, owner: ":1.5")])
        #expect(missed.receive(.came(NotificationFeatures()), at: Samples.later).isEmpty)
    }

    @Test func `what may not last goes to the server all the same`() {
        var missed = MissedCallNotifications(hasServer: true)
        _ = missed.keeper(is: ":1.5")
        #expect(missed.missed("lost").sending != nil)
        #expect(missed.keeper(is: ":1.6").isEmpty)
    }

    @Test func `what has been seen is taken from the keeper, once`() {
        var missed = kept()
        _ = missed.missed("Ben", isLasting: true)
        #expect(missed.seen("Ben") == [.discard(person: "Ben", owner: ":1.5")])
        #expect(missed.seen() == [.discard(person: "Ada", owner: ":1.5")])
        #expect(missed.seen().isEmpty)
        #expect(missed.missed("Ada", isLasting: true) == [.keep(person: "Ada", count: 1, owner: ":1.5")])
    }

    @Test func `at the end what is kept stays, and what is of no use later is taken back`() throws {
        var missed = kept()
        let sending = try #require(missed.missed("lost", isLeft: false).sending)
        _ = missed.shown("lost", sending, as: 7, at: Samples.start)
        #expect(missed.end() == [.close(7)])
        #expect(missed.seen().isEmpty)
        #expect(missed.keeper(is: ":1.6").isEmpty)
    }

    @Test func `at the end no keeper is asked any more`() throws {
        var missed = MissedCallNotifications(hasServer: true)
        let sending = try #require(missed.missed("Ada", isLasting: true).sending)
        _ = missed.shown("Ada", sending, as: 7, at: Samples.start)
        guard case .leave("Ada", 1, _)? = missed.end().first else { return #expect(Bool(false), "not left") }
        #expect(missed.keeper(is: ":1.5").isEmpty)
    }

    @Test func `the next keeper is told again`() {
        var missed = kept(hasServer: false)
        #expect(missed.keeper(is: ":1.5").isEmpty)
        #expect(missed.keeper(is: nil).isEmpty)
        #expect(missed.seen("Ben").isEmpty)
        #expect(missed.keeper(is: ":1.9") == [.keep(person: "Ada", count: 1, owner: ":1.9")])
        #expect(missed.seen() == [.discard(person: "Ada", owner: ":1.9")])
    }

    @Test func `what was seen while there was no keeper is not told to the next`() {
        var missed = kept(hasServer: false)
        _ = missed.keeper(is: nil)
        #expect(missed.seen().isEmpty)
        #expect(missed.keeper(is: ":1.9").isEmpty)
    }

    @Test func `without its keeper it is shown by the server, until the next one`() throws {
        var missed = kept()
        let sending = try #require(missed.keeper(is: nil).sending)
        _ = missed.shown("Ada", sending, as: 7, at: Samples.start)
        #expect(missed.keeper(is: ":1.9") == [.close(7), .keep(person: "Ada", count: 1, owner: ":1.9")])
    }

    @Test func `a server that comes shows what its keeper has left`() {
        var missed = kept(hasServer: false)
        #expect(missed.keeper(is: nil).isEmpty)
        guard case .show("Ada", 1, _)? = missed.receive(.came(NotificationFeatures()), at: Samples.later).first else {
            return #expect(Bool(false), "not shown")
        }
    }

    @Test func `what is on its way to the server when a keeper comes is taken back there and counts on`() throws {
        var missed = MissedCallNotifications(hasServer: true)
        let sending = try #require(missed.missed("Ada", isLasting: true).sending)
        #expect(missed.keeper(is: ":1.5") == [.keep(person: "Ada", count: 1, owner: ":1.5")])
        #expect(missed.shown("Ada", sending, as: 7, at: Samples.start) == [.close(7)])
        #expect(missed.missed("Ada", isLasting: true) == [.keep(person: "Ada", count: 2, owner: ":1.5")])
    }

    @Test func `what a keeper refuses is shown by the server, and what follows, too`() throws {
        var missed = kept()
        let effects = missed.notKept("Ada", by: ":1.5")
        #expect(effects.first == .discard(person: "Ada", owner: ":1.5"))
        #expect(effects.sending != nil && effects.count == 2)
        #expect(missed.notKept("Ada", by: ":1.5").isEmpty)
        #expect(missed.missed("Ben", isLasting: true).sending != nil)
        #expect(missed.keeper(is: ":1.9").count == 2, "another one may keep them")
    }

    @Test func `what one kept before it refused is taken from it when the server shows it`() {
        var missed = kept()
        _ = missed.missed("Ben", isLasting: true)
        _ = missed.notKept("Ben", by: ":1.5")
        let effects = missed.missed("Ada", isLasting: true)
        #expect(effects.first == .discard(person: "Ada", owner: ":1.5"))
        #expect(effects.sending != nil)
        #expect(missed.seen("Ada").isEmpty)
    }

    @Test func `a server is wanted for what is refused`() {
        var missed = kept(hasServer: false)
        #expect(
            missed.notKept("Ada", by: ":1.5") == [.discard(person: "Ada", owner: ":1.5"), .startServer])
    }

    @Test func `what an earlier keeper says late means nothing`() {
        var missed = kept()
        _ = missed.keeper(is: ":1.9")
        #expect(missed.notKept("Ada", by: ":1.5").isEmpty)
        _ = missed.seen()
        #expect(missed.notKept("Ada", by: ":1.9").isEmpty)
    }
}
