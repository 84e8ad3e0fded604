import Parley

/// The words for a person who reads along.
enum PlainSummary {
    /// What a finished call was like, in a line or two.
    static func text(_ summary: CallSummary) -> PlainLine {
        let sent = summary.sent
        let received = summary.received
        guard sent.frames + received.frames > 0 else {
            return "No sound or picture was exchanged."
        }
        let screen: PlainLine =
            sent.screenFrames + received.screenFrames == 0
            ? "" : " Of shared screens, sent \(sent.screenFrames) pictures and received \(received.screenFrames)."
        let rejected: PlainLine =
            received.framesRejected == 0 ? "" : " \(received.framesRejected) frames were rejected."
        let encryption =
            sent.frameEncryption == "none"
            ? "not encrypted end to end" : "encrypted end to end (\(sent.frameEncryption))"
        let certificate = received.fingerprintVerified ? "matched" : "was not checked"
        return """
            Sent \(sent.videoFrames) pictures and \(sent.audioFrames) sound frames, received \(received.videoFrames) and \
            \(received.audioFrames).\(screen)\(rejected)
            Frames were \(encryption); the other side's certificate \(certificate).
            """
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
            case "ringing": isIncoming ? nil : "Ringing…"
            case "accepted": isIncoming ? "You accepted the call." : "The call was accepted."
            case "iceConnected": "A network path was found."
            case "dtlsConnected": "The encrypted channel stands."
            case "firstFrame": "First sound or picture."
            default: nil
            }
        guard let words else { return nil }
        let tenths = (milliseconds + 50) / 100
        return "\(words) (\(tenths / 10).\(tenths % 10) s)"
    }
}
