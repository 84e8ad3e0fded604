/// Notices a microphone that gives no sound: one that is muted at the device or in the desktop, or is broken.
///
/// From its opening on, a microphone in a quiet room still gives some noise; below −75 dB there is none. Once there was sound,
/// only digital silence for long counts: some microphones fall silent between words.
package struct SilenceDetector: Sendable, Equatable {
    /// What is no sound, before there was any.
    static let threshold = SoundLevel(decibels: -75)
    /// Seconds without any sound since the microphone was opened or unmuted.
    static let patience = 4.0
    /// Seconds of digital silence after there was sound.
    static let laterPatience = 15.0

    /// Whether the microphone is taken for silent.
    package private(set) var isSilent = false
    private var hasSounded = false
    private var quiet = 0.0

    package init() {}

    /// Takes a level in that lasted so many seconds. Gives the news, if that is one.
    package mutating func add(_ level: SoundLevel, seconds: Double) -> Bool? {
        let isQuiet = hasSounded ? level == .silence : level < Self.threshold
        guard isQuiet else {
            hasSounded = true
            quiet = 0
            return turn(false)
        }
        quiet += seconds
        return quiet >= (hasSounded ? Self.laterPatience : Self.patience) ? turn(true) : nil
    }

    /// Begins anew, as after a mute or with another microphone. Gives the news, if that is one.
    package mutating func reset() -> Bool? {
        (hasSounded, quiet) = (false, 0)
        return turn(false)
    }

    private mutating func turn(_ isSilent: Bool) -> Bool? {
        defer { self.isSilent = isSilent }
        return self.isSilent == isSilent ? nil : isSilent
    }
}
