import Portal

/// What other programs are told of one call.
package struct CallFacts: Equatable, Sendable {
    /// Where a call stands. The raw value is what is told over the bus.
    package enum State: String, CaseIterable, Sendable {
        /// It comes in, and waits for the person.
        case ringing
        /// It goes out, and waits for the contact.
        case calling
        /// Both want to talk; the connection is being made.
        case connecting
        /// It is on.
        case active
        /// It was on; the connection is being restored.
        case reconnecting
        /// It is over.
        case ended
    }

    /// What the program itself calls it; of a call seen over the bus its object's path.
    package var id: String
    /// The contact's name.
    package var name: String
    /// What stands for the contact and stays when the name changes.
    package var contact: String
    /// The name of the profile whose call it is; empty where there is only one.
    package var profile: String
    /// Whether the contact calls.
    package var isIncoming: Bool
    /// Whether there are pictures besides the sound.
    package var isVideo: Bool
    /// Whether the own microphone is on.
    package var isMicrophoneOn: Bool
    /// Whether the own camera is on.
    package var isCameraOn: Bool
    /// Whether frames are encrypted end to end; false until it is known.
    package var isEncrypted: Bool
    /// Whether the person has put it on hold.
    package var isHeld: Bool
    /// Whether the contact has, as far as its program says so.
    package var isHeldByPeer: Bool
    /// Whether whoever was called, here or there, is in another call.
    package var isWaiting: Bool
    /// When both were connected, in milliseconds since 1970; 0 before.
    package var since: Int64
    /// Where it stands.
    package var state: State
    /// Why it ended, such as `hungUp` (`CallEndReason`); empty before.
    package var endReason: String

    /// A call that is new.
    package init(
        id: String, name: String = "", contact: String = "", profile: String = "", isIncoming: Bool = false,
        isVideo: Bool = false,
        isMicrophoneOn: Bool = false, isCameraOn: Bool = false, isEncrypted: Bool = false, isHeld: Bool = false,
        isHeldByPeer: Bool = false, isWaiting: Bool = false, since: Int64 = 0,
        state: State = .calling, endReason: String = ""
    ) {
        self.id = id
        self.name = name
        self.contact = contact
        self.profile = profile
        self.isIncoming = isIncoming
        self.isVideo = isVideo
        self.isMicrophoneOn = isMicrophoneOn
        self.isCameraOn = isCameraOn
        self.isEncrypted = isEncrypted
        self.isHeld = isHeld
        self.isHeldByPeer = isHeldByPeer
        self.isWaiting = isWaiting
        self.since = since
        self.state = state
        self.endReason = endReason
    }
}

extension CallFacts {
    static let interface = "im.parley.Parley.Call1"

    /// As they are told over the bus.
    var properties: [String: BusValue] {
        [
            "Name": .string(name), "Contact": .string(contact), "Incoming": .bool(isIncoming), "Video": .bool(isVideo),
            "Microphone": .bool(isMicrophoneOn), "Camera": .bool(isCameraOn), "Encrypted": .bool(isEncrypted),
            "OnHold": .bool(isHeld), "HeldByPeer": .bool(isHeldByPeer), "Waiting": .bool(isWaiting),
            "Profile": .string(profile), "Since": .int64(since), "State": .string(state.rawValue),
            "EndReason": .string(endReason),
        ]
    }

    /// Takes over what was told over the bus; what is not understood changes nothing.
    mutating func apply(_ properties: [String: BusValue]) {
        func text(_ name: String) -> String? { if case .string(let text) = properties[name] { text } else { nil } }
        func flag(_ name: String) -> Bool? { properties[name]?.bool }
        name = text("Name") ?? name
        contact = text("Contact") ?? contact
        profile = text("Profile") ?? profile
        isIncoming = flag("Incoming") ?? isIncoming
        isVideo = flag("Video") ?? isVideo
        isMicrophoneOn = flag("Microphone") ?? isMicrophoneOn
        isCameraOn = flag("Camera") ?? isCameraOn
        isEncrypted = flag("Encrypted") ?? isEncrypted
        isHeld = flag("OnHold") ?? isHeld
        isHeldByPeer = flag("HeldByPeer") ?? isHeldByPeer
        isWaiting = flag("Waiting") ?? isWaiting
        if case .int64(let since) = properties["Since"] { self.since = since }
        state = text("State").flatMap(State.init) ?? state
        endReason = text("EndReason") ?? endReason
    }
}

/// Whether calls come in. The raw value is what is told over the bus.
package enum Reachability: String, CaseIterable, Sendable {
    /// A relay is connected.
    case yes
    /// Relays are being connected.
    case connecting
    /// The profile needs its passphrase or keyring first.
    case locked
    /// There is no relay, or no profile.
    case no

    static let interface = "im.parley.Parley.Calls1"
    static let property = "Reachable"
}
