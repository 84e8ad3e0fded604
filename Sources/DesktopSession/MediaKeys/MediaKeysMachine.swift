import BaseKit

/// A call as media keys see it.
public struct MediaKeysCall: Sendable, Equatable {
    /// How far it is.
    public enum Stage: Sendable, Equatable {
        /// It rings here.
        case ringing
        /// It is on.
        case active(isMicrophoneOn: Bool)
    }

    /// Which call it is.
    public var identifier: String
    /// What the desktop shows as the title of what is played, on a lock screen, too.
    public var title: String
    /// How far it is.
    public var stage: Stage

    /// A call.
    public init(_ identifier: String, title: String, stage: Stage) {
        self.identifier = identifier
        self.title = title
        self.stage = stage
    }
}

/// What a person wants who has pressed a media key.
public enum MediaKeysWish: Sendable, Equatable {
    /// To take the call that rings, with sound only.
    case acceptWithSoundOnly(call: String)
    /// To turn the microphone of a call on or off.
    case setMicrophone(call: String, isOn: Bool)
}

/// What a media key means for a call. Pure.
struct MediaKeysMachine: Equatable, Sendable {
    /// A key, as players are told of it.
    enum Key: String, CaseIterable, Sendable {
        case play = "Play"
        case pause = "Pause"
        case playPause = "PlayPause"
        case stop = "Stop"
    }

    /// How long a call rings before a key counts: what came earlier was meant for the music.
    static let timeToLook = Duration.seconds(1)

    /// The call, if there is one.
    private(set) var call: MediaKeysCall?
    private var since: Instant?
    private var isAccepted = false

    /// Something about the call is new; nil when there is none.
    mutating func set(_ call: MediaKeysCall?, at now: Instant) {
        if call?.identifier != self.call?.identifier {
            since = now
            isAccepted = false
        }
        self.call = call
    }

    /// A key was pressed.
    mutating func press(_ key: Key, at now: Instant) -> MediaKeysWish? {
        guard let call else { return nil }
        switch (call.stage, key) {
        case (_, .stop), (.ringing, .pause): return nil
        case (.ringing, .play), (.ringing, .playPause):
            guard !isAccepted, now.isAfter(since, by: Self.timeToLook) else { return nil }
            isAccepted = true
            return .acceptWithSoundOnly(call: call.identifier)
        case (.active(let isOn), .playPause): return setMicrophone(!isOn, was: isOn, of: call)
        case (.active(let isOn), .play): return setMicrophone(true, was: isOn, of: call)
        case (.active(let isOn), .pause): return setMicrophone(false, was: isOn, of: call)
        }
    }

    private mutating func setMicrophone(_ isOn: Bool, was: Bool, of call: MediaKeysCall) -> MediaKeysWish? {
        guard isOn != was else { return nil }
        // Until the call says it itself: the next press is meant for what this one does.
        self.call?.stage = .active(isMicrophoneOn: isOn)
        return .setMicrophone(call: call.identifier, isOn: isOn)
    }
}
