import BaseKit
import Testing

@testable import Notifications

@Suite(.timeLimit(.minutes(1))) struct RingingNotificationTests {
    /// What happens to a notification that stands as 7, and what it means.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let events: [NotificationEvent]
        let effects: [RingingNotification.Effect]
    }

    static let cases = [
        Case(
            testDescription: "accepted", events: [.pressed(7, key: "accept"), .closed(7, .dismissed)],
            effects: [.answer(.accept, token: nil), .close(7)]),
        Case(
            testDescription: "accepted with sound only", events: [.pressed(7, key: "accept-audio")],
            effects: [.answer(.acceptWithSoundOnly, token: nil), .close(7)]),
        Case(
            testDescription: "declined", events: [.pressed(7, key: "decline")],
            effects: [.answer(.decline, token: nil), .close(7)]),
        Case(
            testDescription: "the body clicked", events: [.pressed(7, key: "default"), .closed(7, .dismissed)],
            effects: [.answer(.open, token: nil), .close(7)]),
        Case(
            testDescription: "dismissed", events: [.closed(7, .dismissed), .closed(7, .dismissed)],
            effects: [.answer(.ignore, token: nil)]),
        Case(
            testDescription: "with a token", events: [.token(7, "t"), .pressed(7, key: "accept")],
            effects: [.answer(.accept, token: "t"), .close(7)]),
        Case(
            testDescription: "with somebody else's token", events: [.token(8, "t"), .pressed(7, key: "accept")],
            effects: [.answer(.accept, token: nil), .close(7)]),
        Case(
            testDescription: "accepted twice", events: [.pressed(7, key: "accept"), .pressed(7, key: "accept")],
            effects: [.answer(.accept, token: nil), .close(7)]),
        Case(
            testDescription: "accepted, then declined",
            events: [.pressed(7, key: "accept"), .pressed(7, key: "decline")],
            effects: [.answer(.accept, token: nil), .close(7)]),
        Case(
            testDescription: "closed before it says what was pressed",
            events: [.closed(7, .dismissed), .pressed(7, key: "decline")],
            effects: [.answer(.ignore, token: nil), .answer(.decline, token: nil)]),
        Case(
            testDescription: "opened twice", events: [.pressed(7, key: "default"), .pressed(7, key: "default")],
            effects: [.answer(.open, token: nil), .close(7)]),
        Case(
            testDescription: "opened, then accepted",
            events: [.pressed(7, key: "default"), .pressed(7, key: "accept")],
            effects: [.answer(.open, token: nil), .close(7), .answer(.accept, token: nil)]),
        Case(
            testDescription: "another number", events: [.pressed(8, key: "accept"), .closed(8, .dismissed)], effects: []
        ),
        Case(
            testDescription: "no button of ours", events: [.pressed(7, key: ""), .pressed(7, key: "reply")], effects: []
        ),
    ]

    @Test(arguments: cases) func `what happens at the server means one thing`(_ sample: Case) {
        var call = Samples.standing()
        #expect(sample.events.flatMap { call.receive($0, at: Samples.later) } == sample.effects)
    }

    @Test func `a call that begins is shown as urgent with all its buttons`() throws {
        var call = RingingNotification(Samples.text)
        guard case .show(let notification, let sending)? = call.begin(hasServer: true).first else {
            throw Missing()
        }
        #expect(sending.replacing == nil)
        #expect(notification.summary == "Ada" && notification.body == "Incoming video call")
        #expect(notification.urgency == .critical && notification.category == "call.incoming")
        #expect(notification.actions.map(\.key) == ["default", "accept", "accept-audio", "decline"])
    }

    @Test func `a call without pictures has one way to accept it`() throws {
        var text = Samples.text
        text.acceptWithSoundOnly = nil
        var call = RingingNotification(text)
        guard case .show(let notification, _)? = call.begin(hasServer: true).first else { throw Missing() }
        #expect(notification.actions.map(\.key) == ["default", "accept", "decline"])
    }

    @Test(arguments: [NotificationEvent.Closing.expired, .unknown, .asked])
    func `what a server closes by itself is shown again`(_ closing: NotificationEvent.Closing) throws {
        var call = Samples.standing()
        let sending = try #require(call.receive(.closed(7, closing), at: Samples.later).sending)
        #expect(sending.replacing == nil)
        _ = call.shown(sending, as: 9, at: Samples.later)
        #expect(call.receive(.pressed(9, key: "accept"), at: Samples.later + .seconds(2)).answers == [.accept])
    }

    @Test(arguments: [NotificationEvent.Closing.expired, .unknown, .asked])
    func `what is to disturb less is not shown again by itself`(_ closing: NotificationEvent.Closing) throws {
        var call = RingingNotification(Samples.text, urgency: .normal)
        guard case .show(let notification, let sending)? = call.begin(hasServer: true).first else { throw Missing() }
        #expect(notification.urgency == .normal)
        _ = call.shown(sending, as: 7, at: Samples.start)
        #expect(call.receive(.closed(7, closing), at: Samples.later).isEmpty)
        // Some keep it in a list, its buttons alive.
        #expect(call.receive(.pressed(7, key: "accept"), at: Samples.later).answers == [.accept])
    }

    @Test func `a server that closes all at once is not asked for ever`() throws {
        var call = Samples.standing()
        var (count, id) = (0, UInt32(7))
        while let sending = call.receive(.closed(id, .expired), at: Samples.later).sending {
            count += 1
            id += 1
            try #require(count < 100)
            _ = call.shown(sending, as: id, at: Samples.start)
        }
        #expect(count == NotificationSlot.mostRepeats)
    }

    @Test func `servers that come and go are not asked for ever`() throws {
        var call = Samples.standing()
        var count = 0
        while true {
            _ = call.receive(.left, at: Samples.later)
            guard let sending = call.receive(.came(NotificationFeatures()), at: Samples.later).sending else { break }
            count += 1
            try #require(count < 100)
            _ = call.shown(sending, as: 1, at: Samples.later)
        }
        #expect(count == NotificationSlot.mostRepeats)
    }

    @Test(arguments: [
        [NotificationEvent.pressed(7, key: "accept"), .closed(7, .dismissed)],
        [.pressed(7, key: "decline"), .closed(7, .unknown)], [.pressed(7, key: "default"), .closed(7, .dismissed)],
        [.closed(7, .dismissed), .pressed(7, key: "accept")],
    ])
    func `what was meant for something else answers nothing, and the call is shown again`(
        _ events: [NotificationEvent]
    ) {
        var call = Samples.standing()
        let effects = events.flatMap { call.receive($0, at: Samples.start + .milliseconds(999)) }
        #expect(effects.answers.isEmpty)
        #expect(effects.sending != nil)
    }

    @Test func `a notification that a server closes slowly after an early press is not taken for dismissed`() {
        var call = Samples.standing()
        _ = call.receive(.pressed(7, key: "accept"), at: Samples.start + .milliseconds(900))
        let effects = call.receive(.closed(7, .dismissed), at: Samples.start + .milliseconds(1_100))
        #expect(effects.answers.isEmpty && effects.sending != nil)
    }

    @Test func `a button pressed too early works once the person can have looked`() {
        var call = Samples.standing()
        #expect(call.receive(.pressed(7, key: "accept"), at: Samples.start).isEmpty)
        #expect(call.receive(.pressed(7, key: "accept"), at: Samples.start + .seconds(1)).answers == [.accept])
    }

    @Test func `nothing of a call that has ended does anything`() {
        var call = Samples.standing()
        #expect(call.end() == [.close(7)])
        for event: NotificationEvent in [
            .pressed(7, key: "accept"), .closed(7, .dismissed), .closed(7, .expired), .left,
            .came(NotificationFeatures()),
        ] { #expect(call.receive(event, at: Samples.later).isEmpty) }
        #expect(call.end().isEmpty)
    }

    @Test func `a call that ends before the server has answered is closed when it has`() throws {
        var call = RingingNotification(Samples.text)
        let sending = try #require(call.begin(hasServer: true).sending)
        #expect(call.end().isEmpty)
        #expect(call.shown(sending, as: 7, at: Samples.start) == [.close(7)])
        #expect(call.receive(.pressed(7, key: "accept"), at: Samples.later).isEmpty)
    }

    @Test func `what a server tells before it has given the number counts`() throws {
        var call = RingingNotification(Samples.text)
        let sending = try #require(call.begin(hasServer: true).sending)
        #expect(call.receive(.closed(6, .dismissed), at: Samples.start).isEmpty)
        #expect(call.receive(.closed(7, .expired), at: Samples.start).isEmpty)
        #expect(call.shown(sending, as: 7, at: Samples.start).sending != nil)
    }

    @Test func `a call is shown once there is a server`() {
        var call = RingingNotification(Samples.text)
        #expect(call.begin(hasServer: false) == [.startServer])
        #expect(call.receive(.came(NotificationFeatures()), at: Samples.start).sending != nil)
    }

    @Test func `a server that goes is asked for again, and the next one shows the call`() throws {
        var call = Samples.standing()
        #expect(call.receive(.left, at: Samples.later) == [.startServer])
        let sending = try #require(call.receive(.came(NotificationFeatures()), at: Samples.later).sending)
        #expect(sending.replacing == nil)
        // Numbers of the server before are somebody else's now.
        #expect(call.receive(.pressed(7, key: "accept"), at: Samples.later).isEmpty)
    }

    @Test func `an answer of a server that has gone closes nothing of the next one`() throws {
        var call = RingingNotification(Samples.text)
        let old = try #require(call.begin(hasServer: true).sending)
        _ = call.receive(.left, at: Samples.start)
        let new = try #require(call.receive(.came(NotificationFeatures()), at: Samples.start).sending)
        #expect(call.shown(old, as: 3, at: Samples.start).isEmpty)
        #expect(call.receive(.pressed(3, key: "accept"), at: Samples.later).isEmpty)
        _ = call.shown(new, as: 3, at: Samples.start)
        #expect(call.receive(.pressed(3, key: "accept"), at: Samples.later).answers == [.accept])
    }

    @Test func `a call that is ignored or looked at is not shown again`() {
        for event: NotificationEvent in [.closed(7, .dismissed), .pressed(7, key: "default")] {
            var call = Samples.standing()
            _ = call.receive(event, at: Samples.later)
            #expect(call.receive(.left, at: Samples.later).isEmpty)
            #expect(call.receive(.came(NotificationFeatures()), at: Samples.later).isEmpty)
        }
    }

    @Test func `a sending that fails waits for the next server`() throws {
        var call = RingingNotification(Samples.text)
        let sending = try #require(call.begin(hasServer: true).sending)
        #expect(call.notShown(sending).isEmpty)
        _ = call.receive(.left, at: Samples.start)
        #expect(call.receive(.came(NotificationFeatures()), at: Samples.start).sending != nil)
    }

    /// Something that was to be sent was not.
    struct Missing: Error {}
}
