import Parley
import Wording

/// The words for a person who reads along.
enum PlainSummary {
    /// What a finished call was like, in a line or two.
    static func text(_ summary: CallSummary) -> PlainLine {
        let sent = summary.sent
        let received = summary.received
        guard sent.frames + received.frames > 0 else {
            return .tr("No sound or picture was exchanged.")
        }
        var lines: [PlainLine] = [
            .tr(
                "Sent %1$s pictures and %2$s sound frames, received %3$s and %4$s.", sent.videoFrames, sent.audioFrames,
                received.videoFrames, received.audioFrames)
        ]
        if sent.screenFrames + received.screenFrames > 0 {
            lines.append(
                .tr(
                    "Of shared screens, sent %1$s pictures and received %2$s.", sent.screenFrames, received.screenFrames
                ))
        }
        if received.framesRejected > 0 { lines.append(.tr("%s frames were rejected.", received.framesRejected)) }
        return PlainLine(lines: [PlainLine(joining: lines), protection(summary)])
    }

    /// How the frames were protected.
    private static func protection(_ summary: CallSummary) -> PlainLine {
        let cipher = summary.sent.frameEncryption
        return switch (cipher == "none", summary.received.fingerprintVerified) {
        case (true, true): .tr("Frames were not encrypted end to end; the other side's certificate matched.")
        case (true, false): .tr("Frames were not encrypted end to end; the other side's certificate was not checked.")
        case (false, true): .tr("Frames were encrypted end to end (%s); the other side's certificate matched.", cipher)
        case (false, false):
            .tr("Frames were encrypted end to end (%s); the other side's certificate was not checked.", cipher)
        }
    }
}

extension CallSummary.Counts {
    /// Frames of any kind.
    fileprivate var frames: Int { videoFrames + audioFrames + screenFrames + screenSoundFrames }
}

/// The words for the steps of setting up.
enum PlainStep {
    static func text(_ name: String, _ milliseconds: Int, isIncoming: Bool) -> PlainLine? {
        let words: String? =
            switch name {
            case "ringing": isIncoming ? nil : tr("Ringing…")
            case "accepted": isIncoming ? tr("You accepted the call.") : tr("The call was accepted.")
            case "iceConnected": tr("A network path was found.")
            case "dtlsConnected": tr("The encrypted channel stands.")
            case "firstFrame": tr("First sound or picture.")
            default: nil
            }
        guard let words else { return nil }
        let tenths = (milliseconds + 50) / 100
        return "\(words) (\(tenths / 10).\(tenths % 10) s)"
    }
}
