import BaseKit

/// Watches which of the peer's sources are on: by what it says of them, where it does, and by what arrives, with a clock that stands
/// still while nothing does.
package struct PeerMediaWatch: Sendable, Equatable {
    private var detector = PeerMediaDetector()
    private var clock = ArrivalClock()
    private var heard = HeardStatement()
    private var awaited = AwaitedSources()
    private var shown = PeerMedia(microphone: false, camera: false)
    private var wasHeld = false

    package init() {}

    /// What is on now, and what was before.
    package struct Change: Sendable, Equatable {
        package var before: PeerMedia
        package var now: PeerMedia
        /// Whether the peer has put the call on hold; nil where that has not changed.
        package var held: Bool?
    }

    /// Nothing of the peer is counted until the next counts are taken: what is on stays so.
    package mutating func pause() {
        clock.pause()
        awaited.pause()
    }

    /// The peer says which of its sources are on; gives what changed.
    package mutating func hear(_ statement: MediaStatement, now: Instant) -> Change? {
        let before = heard.content
        heard.hear(statement, now: now)
        awaited.follow(from: before, to: heard.content)
        return look()
    }

    /// Takes the counts so far at `now`, of a peer that sends its screen in the camera's place, or beside it; gives what changed.
    package mutating func update(
        _ received: MediaStatistics.Direction, packets: Int, sendsScreenAsCamera: Bool, now: Instant
    ) -> Change? {
        let before = heard.content
        heard.look(now: now)
        awaited.follow(from: before, to: heard.content)
        detector.sendsScreenAsCamera = sendsScreenAsCamera
        let time = clock.update(packets: packets, now: now)
        _ = detector.update(
            audioFrames: received.audioFrames, videoFrames: received.videoFrames, screenFrames: received.screenFrames,
            screenSoundFrames: received.screenSoundFrames, now: time)
        awaited.update(now: time)
        return look()
    }

    private mutating func look() -> Change? {
        let (before, isHeld) = (shown, heard.content?.contains(.held) ?? false)
        shown = state
        guard before != shown || isHeld != wasHeld else { return nil }
        defer { wasHeld = isHeld }
        return Change(before: before, now: shown, held: isHeld == wasHeld ? nil : isHeld)
    }

    /// What is said to be off is off, and what is said to be on is on, as long as something of it arrives: a device may have failed.
    private var state: PeerMedia {
        let arriving = detector.state
        guard let said = heard.content else { return arriving }
        guard !said.contains(.held) else { return PeerMedia(microphone: false, camera: false) }
        func isOn(_ source: MediaStatement.Content, _ arrives: Bool) -> Bool {
            said.contains(source) && (arrives || awaited.sources.contains(source))
        }
        let isSeen = isOn(.camera, arriving.camera)
        return PeerMedia(
            microphone: isOn(.microphone, arriving.microphone), camera: isSeen, screen: isOn(.screen, arriving.screen),
            screenSound: isOn(.screenSound, arriving.screenSound),
            isPicturePaused: !isSeen && said.contains([.camera, .slowLink]))
    }
}

/// Sources that are said to have been turned on of late: it takes a moment before something of them arrives.
private struct AwaitedSources: Sendable, Equatable {
    private static let all: [MediaStatement.Content] = [.microphone, .camera, .screen, .screenSound]

    private(set) var sources: MediaStatement.Content = []
    private var since: [MediaStatement.Content: Instant] = [:]

    /// The peer says something else than before.
    mutating func follow(from old: MediaStatement.Content?, to new: MediaStatement.Content?) {
        guard let new, new != old else { return }
        // After a hold all of them begin anew.
        let isResumed = old?.contains(.held) == true && !new.contains(.held)
        let begun = isResumed ? new : new.subtracting(old ?? [])
        sources = sources.union(begun).intersection(new)
        for source in Self.all where begun.contains(source) { since[source] = nil }
    }

    mutating func pause() { since = [:] }

    mutating func update(now: Instant) {
        for source in Self.all where sources.contains(source) {
            let began = since[source] ?? now
            since[source] = began
            if now - began >= PeerMediaDetector.silence { sources.remove(source) }
        }
    }
}
