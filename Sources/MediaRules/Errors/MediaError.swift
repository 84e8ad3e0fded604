/// What can go wrong on the Media floor.
///
/// Each case has one sentence a person can act on (`description`).
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
    /// Offer and answer could not be exchanged; the value says at which step.
    case negotiation(String)
    /// ICE found no way to the peer, or none in time.
    case unreachable
    /// A relay (TURN) server can't be used, in a call that may go no other way.
    case relay(RelayServerError)
    /// The peer session has been closed.
    case closed
    /// A camera, microphone or speaker could not be used; the value says which and why.
    case device(String)
}

extension MediaError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .description(let error): error.description
        case .missingElements(let missing): missing.sentence(.ofThisMachine)
        case .missingElement(let name): Self.sentence(missing: name)
        case .startFailed(let message): "The media system could not be started: \(message)."
        case .pipeline(let message): "The call's media stopped: \(message)."
        case .negotiation(let step): "The call's media could not be agreed on (\(step))."
        case .unreachable: "No network path to the other side was found."
        case .relay(let error): error.description
        case .closed: "The call's media is closed."
        case .device(let message): message
        }
    }

    private static func sentence(missing name: String) -> String {
        let known = MissingElements(NeededElement.all.filter { $0.name == name })
        return "The GStreamer element “\(name)” is missing: \(known?.advice(.ofThisMachine) ?? "install its plugin")."
    }
}
