import Signaling

extension Profile {
    /// The profile in what a requester says of itself; nil when it can't be read.
    init?(request information: [UInt8]) {
        switch try? ChatMessage(connectionInformation: information).event {
        case .contactRequest(let request): self = request.profile
        case .information(let profile): self = profile
        default: return nil
        }
    }
}

/// The name in what a requester says of itself, without what is no part of a name; nil when nothing is left.
func displayName(inRequest information: [UInt8]) -> String? {
    Profile(request: information).flatMap { DisplayName.cleaned($0.displayName) }
}
