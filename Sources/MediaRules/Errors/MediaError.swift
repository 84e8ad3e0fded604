/// What can go wrong on the Media floor.
public enum MediaError: Error, Equatable, Sendable {
    /// The peer's session description cannot be used.
    case description(DescriptionError)
    /// Elements of GStreamer's that every call needs are not installed.
    case missingElements(MissingElements)
    /// A GStreamer element can't be made; the value is its name.
    case missingElement(String)
    /// GStreamer could not be started; the value is its own message.
    case startFailed(String)
    /// The pipeline stopped with an error; the value is GStreamer's message.
    case pipeline(String)
    /// Offer and answer could not be exchanged.
    case negotiation(NegotiationFault)
    /// ICE found no way to the peer, or none in time.
    case unreachable
    /// A relay (TURN) server can't be used, in a call that may go no other way.
    case relay(RelayServerError)
    /// The peer session has been closed.
    case closed
    /// A camera, microphone, speaker or screen could not be used.
    case device(DeviceFault)
    /// A file with sound can't be played. (which, GStreamer's words)
    case soundFile(SoundFile, detail: String?)
}
