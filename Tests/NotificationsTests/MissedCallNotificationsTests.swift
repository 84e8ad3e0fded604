import BaseKit
import Testing

@testable import Notifications

@Suite(.timeLimit(.minutes(1))) struct MissedCallNotificationsTests {
    /// One missed call of Ada, which stands as 7 since the start.
    private func one() throws -> MissedCallNotifications {
        var missed = MissedCallNotifications(hasServer: true)
        let sending = try #require(missed.missed("Ada").sending)
        _ = missed.shown("Ada", sending, as: 7, at: Samples.start)
        return missed
    }

    @Test func `calls of one person are one notification with their count`() throws {
        var missed = try one()
        guard case .show("Ada", 2, let sending)? = missed.missed("Ada").first else {
            return #expect(Bool(false), "not shown")
        }
        #expect(sending.replacing == 7)
    }

    @Test func `each person has a notification`() throws {
        var missed = try one()
        let sending = try #require(missed.missed("Ben").sending)
        #expect(sending.replacing == nil)
        #expect(missed.shown("Ben", sending, as: 8, at: Samples.start).isEmpty)
        #expect(missed.seen() == [.close(7), .close(8)])
    }

    @Test func `the button calls the person it was shown for, once`() throws {
        var missed = try one()
        let sending = try #require(missed.missed("Ben").sending)
        _ = missed.shown("Ben", sending, as: 8, at: Samples.start)
        #expect(
            missed.receive(.pressed(8, key: "call-back"), at: Samples.later)
                == [.callBack(person: "Ben", token: nil), .close(8)])
        #expect(missed.receive(.pressed(8, key: "call-back"), at: Samples.later).isEmpty)
        #expect(missed.count(of: "Ada") == 1)
    }

    @Test func `a click opens the program, with the token that came`() throws {
        var missed = try one()
        #expect(missed.receive(.token(7, "t"), at: Samples.later).isEmpty)
        #expect(
            missed.receive(.pressed(7, key: "default"), at: Samples.later)
                == [.open(person: "Ada", token: "t"), .close(7)])
    }

    @Test func `a button pressed before one can have looked calls nobody`() throws {
        var missed = try one()
        #expect(missed.receive(.pressed(7, key: "call-back"), at: Samples.start).isEmpty)
        #expect(missed.receive(.closed(7, .dismissed), at: Samples.start).sending != nil)
    }

    @Test func `what was dismissed has been seen`() throws {
        var missed = try one()
        #expect(missed.receive(.closed(7, .dismissed), at: Samples.later).isEmpty)
        guard case .show("Ada", 1, _)? = missed.missed("Ada").first else { return #expect(Bool(false), "not shown") }
    }

    @Test func `what expired has not been seen`() throws {
        var missed = try one()
        #expect(missed.receive(.closed(7, .expired), at: Samples.later).isEmpty)
        guard case .show("Ada", 2, _)? = missed.missed("Ada").first else { return #expect(Bool(false), "not shown") }
    }

    @Test func `who is called has been seen, the others not`() throws {
        var missed = try one()
        let sending = try #require(missed.missed("Ben").sending)
        _ = missed.shown("Ben", sending, as: 8, at: Samples.start)
        #expect(missed.seen("Ada") == [.close(7)])
        #expect(missed.seen("Ada").isEmpty)
        #expect(missed.count(of: "Ben") == 1)
    }

    @Test func `what is seen before the server has answered is closed when it has`() throws {
        var missed = MissedCallNotifications(hasServer: true)
        let sending = try #require(missed.missed("Ada").sending)
        #expect(missed.seen().isEmpty)
        #expect(missed.shown("Ada", sending, as: 7, at: Samples.start) == [.close(7)])
        #expect(missed.count(of: "Ada") == 0)
    }

    @Test func `a second call before the server has answered replaces the first`() throws {
        var missed = MissedCallNotifications(hasServer: true)
        let sending = try #require(missed.missed("Ada").sending)
        #expect(missed.missed("Ada").isEmpty)
        guard case .show("Ada", 2, let second)? = missed.shown("Ada", sending, as: 7, at: Samples.start).first else {
            return #expect(Bool(false), "not shown")
        }
        #expect(second.replacing == 7)
    }

    @Test func `a sending that fails is made up for by the next`() throws {
        var missed = MissedCallNotifications(hasServer: true)
        let sending = try #require(missed.missed("Ada").sending)
        #expect(missed.notShown("Ada", sending).isEmpty)
        guard case .show("Ada", 2, _)? = missed.missed("Ada").first else { return #expect(Bool(false), "not shown") }
    }

    @Test func `a server that comes is told what was missed meanwhile`() {
        var missed = MissedCallNotifications()
        #expect(missed.missed("Ada") == [.startServer])
        #expect(missed.missed("Ada") == [.startServer])
        guard case .show("Ada", 2, _)? = missed.receive(.came(NotificationFeatures()), at: Samples.start).first else {
            return #expect(Bool(false), "not shown")
        }
    }

    @Test func `numbers of a server that has gone mean nothing`() throws {
        var missed = try one()
        #expect(missed.receive(.left, at: Samples.later).isEmpty)
        _ = missed.receive(.came(NotificationFeatures()), at: Samples.later)
        #expect(missed.receive(.pressed(7, key: "call-back"), at: Samples.later).isEmpty)
    }

    @Test func `at the end what stands is left, and hears of nothing any more`() throws {
        var missed = try one()
        let effects = missed.end()
        guard case .leave("Ada", 1, let sending)? = effects.first, effects.count == 1 else {
            return #expect(Bool(false), "not left")
        }
        #expect(sending.replacing == 7)
        #expect(missed.receive(.pressed(7, key: "call-back"), at: Samples.later).isEmpty)
        #expect(missed.shown("Ada", sending, as: 7, at: Samples.later).isEmpty)
    }

    @Test func `at the end what is on its way is left once it has come`() throws {
        var missed = MissedCallNotifications(hasServer: true)
        let sending = try #require(missed.missed("Ada").sending)
        #expect(missed.end().isEmpty)
        guard case .leave("Ada", 1, let second)? = missed.shown("Ada", sending, as: 7, at: Samples.start).first else {
            return #expect(Bool(false), "not left")
        }
        #expect(second.replacing == 7)
    }

    @Test func `at the end nothing comes back that has gone`() throws {
        var missed = try one()
        _ = missed.receive(.closed(7, .expired), at: Samples.later)
        #expect(missed.end().isEmpty)
        var seen = try one()
        _ = seen.seen()
        #expect(seen.end().isEmpty)
    }

    @Test func `a button that is none of ours does nothing`() throws {
        var missed = try one()
        #expect(missed.receive(.pressed(7, key: "accept"), at: Samples.later).isEmpty)
        #expect(missed.count(of: "Ada") == 1)
    }
}
