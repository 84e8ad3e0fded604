import BaseKit

@testable import Notifications

/// What the tests of this target tell of.
enum Samples {
    /// A moment, and how the clock goes on from it.
    static let start = Instant(sinceStart: .seconds(100))
    /// Long enough to have looked.
    static let later = start + .seconds(2)

    /// A call with pictures.
    static let text = RingingNotification.Text(
        title: "Ada", body: "Incoming video call", accept: "Accept", acceptWithSoundOnly: "Accept with sound only",
        decline: "Decline", open: "Show")

    /// What a portrait is drawn in: what is behind, and who is there.
    static let (ground, person): ([UInt8], [UInt8]) = ([60, 110, 180, 255], [250, 220, 190, 255])

    /// Somebody's picture: a head and shoulders.
    static let portrait: NotificationPicture? = {
        let side = 96
        func isIn(_ x: Int, _ y: Int, _ row: Int, _ radius: Int) -> Bool {
            (x - side / 2) * (x - side / 2) + (y - row) * (y - row) < radius * radius
        }
        let pixels = (0..<side * side).flatMap { index in
            let (x, y) = (index % side, index / side)
            return isIn(x, y, 36, 18) || isIn(x, y, 98, 38) ? person : ground
        }
        return NotificationPicture(width: side, height: side, pixels: pixels)
    }()

    /// A call that rings, whose notification stands under this number since ``start``.
    static func standing(as id: UInt32 = 7) -> RingingNotification {
        var call = RingingNotification(text)
        guard case .show(_, let sending)? = call.begin(hasServer: true).first else { return call }
        _ = call.shown(sending, as: id, at: start)
        return call
    }
}

extension [RingingNotification.Effect] {
    /// What is sent to be shown.
    var sending: NotificationSending? {
        for case .show(_, let sending) in self { return sending }
        return nil
    }

    /// What the person answers.
    var answers: [RingingNotification.Answer] {
        compactMap { if case .answer(let answer, _) = $0 { answer } else { nil } }
    }
}

extension [MissedCallNotifications.Effect] {
    /// What is sent to be shown.
    var sending: NotificationSending? {
        for case .show(_, _, let sending) in self { return sending }
        return nil
    }
}
