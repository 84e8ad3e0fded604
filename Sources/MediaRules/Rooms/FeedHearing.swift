import BaseKit

/// Whether a member is heard by a way: when something of it was opened last, and for how long nothing.
package struct FeedHearing: Sendable, Equatable {
    /// The time without a frame after which the member is not heard by it.
    static let patience: Duration = .seconds(4)

    /// The time without a packet of any kind after which a feed's way is broken: a server reports on what it has sent each second, also
    /// while nothing more of it comes.
    static let end: Duration = .seconds(8)
    /// The time without sound of a kind after which none of it comes: frames of it follow each other closely, and a muted member sends none.
    static let pause: Duration = .seconds(1)

    private var opened = 0
    private var packets = 0
    private var packetAt: Instant?
    private var last: Instant?
    private var voice = Sound()
    private var screenSound = Sound()
    /// Whether it is heard.
    package private(set) var isHeard = false

    /// Whether the way is broken.
    package private(set) var isBroken = false

    package init() {}

    /// Takes how many frames of its voice and of its screen's sound were opened so far.
    package mutating func hear(sounds: Int, ofScreen screenSounds: Int = 0, now: Instant) {
        voice.hear(sounds, now: now)
        screenSound.hear(screenSounds, now: now)
    }

    /// Whether its voice comes, and its screen's sound.
    package func hasSound(now: Instant) -> Bool { voice.comes(now: now) }
    package func hasScreenSound(now: Instant) -> Bool { screenSound.comes(now: now) }

    /// Takes how many frames were opened and how many packets came so far; gives whether it is heard, when that has changed.
    package mutating func update(opened: Int, packets: Int, now: Instant) -> Bool? {
        let before = isHeard
        if packets > self.packets { (self.packets, packetAt) = (packets, now) }
        isBroken = opened > 0 && now.isAfter(packetAt, by: Self.end)
        if opened > self.opened {
            (self.opened, last) = (opened, now)
            isHeard = true
        } else if now.isAfter(last, by: Self.patience) {
            isHeard = false
        }
        return isHeard == before ? nil : isHeard
    }

    private struct Sound: Sendable, Equatable {
        private var frames = 0
        private var at: Instant?

        mutating func hear(_ frames: Int, now: Instant) {
            if frames > self.frames { (self.frames, at) = (frames, now) }
        }

        func comes(now: Instant) -> Bool { at.map { now - $0 <= FeedHearing.pause } ?? false }
    }
}
