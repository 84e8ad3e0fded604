import MediaRules

extension CallQuality {
    /// How good the call is, in a word or two.
    public var word: String {
        switch step {
        case .good: tr("Good")
        case .fair: tr("Fair")
        case .poor: tr("Poor")
        }
    }

    /// Why it is not better, in one sentence; nil for a good call.
    public var reason: String? {
        switch cause {
        case .ownLink: tr("Your connection loses part of what you send.")
        case .peerLink: tr("Their connection loses part of what they send.")
        case .bothLinks: tr("Much is lost on the way between you, in both directions.")
        case .longWay: tr("The way between you is long, so what is said arrives late.")
        case .noRoom: tr("The connection between you has no room for your picture: it is paused.")
        case .narrowLink: tr("The connection between you has room for small pictures only.")
        case .ownMachine: tr("Your camera or machine gives few pictures.")
        case .peerMachine: tr("Their camera or machine gives few pictures.")
        case .slowMachine: tr("Your machine is too slow for larger pictures.")
        case .noWay: tr("Nothing comes through at the moment.")
        case nil: nil
        }
    }
}
