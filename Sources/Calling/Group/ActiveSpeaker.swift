import BaseKit
import Signaling

/// Who speaks: the loudest member above a threshold for half a second, kept a while after it has stopped. From the level of decoded
/// sound, so that nobody between the members learns of it.
public struct ActiveSpeaker: Sendable {
    private struct Voice {
        /// In dBov: 0 is the loudest there is.
        var level: Double
        var loudSince: Instant?
    }

    private var voices: [MemberNumber: Voice] = [:]
    private var speaker: (member: MemberNumber, lastLoud: Instant)?

    /// What is louder is speech; in dBov. Ours.
    static let threshold = -50.0
    /// How long somebody has to be loud; ours.
    static let onset: Duration = .milliseconds(500)
    /// How long a speaker is kept in silence; ours.
    static let hold: Duration = .milliseconds(1_500)

    /// Nobody speaks.
    public init() {}

    /// How loud a member is now.
    ///
    /// - Parameter level: in dBov, at most 0; what is no number counts as silence.
    public mutating func hear(_ level: Double, of member: MemberNumber, at now: Instant) {
        let isLoud = level > Self.threshold
        voices[member] = Voice(level: isLoud ? level : -127, loudSince: isLoud ? voices[member]?.loudSince ?? now : nil)
        if isLoud, speaker?.member == member { speaker?.lastLoud = now }
    }

    /// A member is gone.
    public mutating func forget(_ member: MemberNumber) {
        voices[member] = nil
        if speaker?.member == member { speaker = nil }
    }

    /// Who speaks now; nil when nobody does. Asked a few times a second.
    public mutating func current(at now: Instant) -> MemberNumber? {
        if let last = speaker?.lastLoud, now - last >= Self.hold { speaker = nil }
        let loud = voices.filter { $0.value.loudSince.map { now - $0 >= Self.onset } ?? false }
        // Of equals the lower number, so that two microphones in one room don't take turns.
        let loudest = loud.max { ($0.value.level, $1.key.value) < ($1.value.level, $0.key.value) }?.key
        // Who speaks is not interrupted while loud: the other one has to be louder.
        if let loudest, loudest != speaker?.member { speaker = (loudest, now) }
        return speaker?.member
    }
}
