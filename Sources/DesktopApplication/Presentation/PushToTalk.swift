/// Talking while a key is held, by whom is muted otherwise.
struct PushToTalk: Equatable {
    /// What the key means at the moment it is pressed.
    struct Situation: Equatable {
        /// Whether the person wants the key to do this.
        var isWanted = false
        /// Whether the microphone is off.
        var isMuted = false
        /// Whether it could be on: the call is on, and not on hold.
        var canTalk = false
        /// Whether the focus is in a menu, which needs the key.
        var isInMenu = false
        /// Whether the focus is at the microphone's button, which the key would press.
        var isAtMicrophone = false
    }

    /// Whether the key is held and the person is heard because of it.
    private(set) var isTalking = false
    /// Whether the key is held.
    private var isDown = false

    /// The key goes down, or repeats while it is held.
    ///
    /// - Returns: Whether the key is used up, so that it presses no button.
    mutating func press(_ situation: Situation) -> Bool {
        let isRepeated = isDown
        isDown = true
        if isTalking { return true }
        guard situation.isWanted, situation.canTalk, !situation.isInMenu else {
            // A key that is held would press the button four times a second.
            return isRepeated && situation.isAtMicrophone
        }
        // Who is heard, and holds the key to be heard, does not mean to be muted by it.
        guard situation.isMuted else { return situation.isAtMicrophone }
        isTalking = true
        return true
    }

    /// The key comes up, or nobody would hear that it does, as when the window loses the focus.
    ///
    /// - Returns: Whether the person is to be muted again.
    mutating func release() -> Bool {
        defer { (isTalking, isDown) = (false, false) }
        return isTalking
    }
}

extension PushToTalk.Situation {
    /// As the microphone of a call stands; nil where there is no call yet. `isWanted`: whether the person wants to talk so.
    init(_ microphone: ControlFace?, isWanted: Bool) {
        self.init()
        guard let microphone else { return }
        (self.isWanted, isMuted, canTalk) = (isWanted, microphone.isTurnedOff, microphone.isEnabled)
    }
}
