import LocalNetwork
import Parley

extension DiscoveryError: Worded {
    public var sentence: String {
        switch self {
        case .noService:
            tr("Nobody can be found in this network: Avahi is not there or does not run (package avahi-daemon).")
        case .failed(let reason): tr("Nobody can be reached in this network: %s.", reason)
        case .unexpectedAnswer: tr("Avahi, which finds others in this network, gave an answer that makes no sense.")
        }
    }
}

extension NetworkOpenness {
    /// Under which name others in this network find the relay, or why they may not; nil while it is closed.
    public var sentence: String? {
        switch self {
        case .closed: nil
        case .open(let name, _, let problem?):
            tr("Others here find your relay only where their system knows the name %1$s. %2$s", name, problem.sentence)
        case .open(let name, _, nil): tr("Others here find your relay as %s.", name)
        }
    }
}

extension OfferedRelaysError: Worded {
    public var sentence: String {
        switch self {
        case .unreadable(let path): tr("The list of relays %s can't be read.", path)
        case .tooLong: tr("The list of relays that is installed here is too long.")
        case .malformed: tr("The list of relays that is installed here is damaged.")
        case .newer(let form): tr("The list of relays that is installed here is for a newer Parley (form %s).", form)
        case .entry(let number, let part):
            tr(
                "The list of relays that is installed here can't be used: the %1$s of entry %2$s is wrong.", part,
                number)
        }
    }
}

extension PairingFailure: Worded {
    public var sentence: String {
        switch self {
        case .refusedHere: tr("You have not become contacts.")
        case .refusedThere: tr("The other person did not go on. You have not become contacts.")
        case .lost: tr("The other person is not there any more. You have not become contacts.")
        case .malformed, .commitmentBroken:
            tr(
                "Something between you and the other person is not as it should be. You have not become contacts; do not try again in this network."
            )
        }
    }
}

extension NearbyFailure: Worded {
    public var sentence: String {
        switch self {
        case .pairing(let failure): failure.sentence
        case .network(let error): error.sentence
        case .account(let error): error.sentence
        }
    }
}
