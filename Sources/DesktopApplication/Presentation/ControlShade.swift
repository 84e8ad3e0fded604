import BaseKit

/// Whether the controls over a picture are shown: they go when nobody has moved anything for a while, and come back with the next
/// movement, key or touch.
struct ControlShade: Equatable {
    /// How long they stay.
    static let patience = Duration.seconds(3)

    /// Whether they are gone.
    private(set) var isDrawn = false
    private var lastActivity: Instant
    private var hasPicture = false

    /// Shown, without a picture under them.
    init(at now: Instant) { lastActivity = now }

    /// When to look again; nil as long as nothing can come of it.
    var due: Instant? { hasPicture && !isDrawn ? lastActivity + Self.patience : nil }

    /// Whether there is a picture under them. Without one they stay.
    mutating func setPicture(_ isShown: Bool, at now: Instant) {
        guard isShown != hasPicture else { return }
        hasPicture = isShown
        noteActivity(at: now)
    }

    /// The person moved the pointer, pressed a key or touched the screen.
    mutating func noteActivity(at now: Instant) {
        lastActivity = now
        isDrawn = false
    }

    /// Time has come to `now`. `isKept` says that the person is at one of the controls, by keyboard or in a menu.
    mutating func look(at now: Instant, isKept: Bool) {
        guard let due, now >= due else { return }
        if isKept { lastActivity = now } else { isDrawn = true }
    }
}
