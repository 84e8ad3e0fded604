import CallControl
import Keyring
import Portal

extension PortalError: Worded {
    public var sentence: String {
        switch self {
        case .noBus(let message): tr("The desktop can't be asked: there is no session bus (%s).", message)
        case .noPortal: tr("The desktop can't be asked: its portal (xdg-desktop-portal) is not running.")
        case .unsupported(let name): tr("This desktop does not offer what is needed (%s).", name)
        case .denied: tr("The desktop did not allow it.")
        case .ended: tr("The desktop ended the request.")
        case .cancelled: tr("The request was taken back.")
        case .unexpectedAnswer(let detail): tr("The desktop's answer can't be understood (%s).", detail)
        case .notCarried: tr("A text has a character that the desktop can't take: write it without that.")
        case .failed(_, let message): tr("The desktop answered with an error: %s", message)
        }
    }
}

extension KeyringError: Worded {
    public var sentence: String {
        switch self {
        case .missing: tr("There is no keyring (Secret Service) in this session.")
        case .locked: tr("The keyring is locked; unlock it and try again.")
        case .silent: tr("The keyring did not answer; unlock it and try again.")
        case .refused(let message): tr("The keyring refused: %s", message)
        case .noMemory: tr("There is no memory for the keyring's secrets.")
        case .lost: tr("The keyring did not give back what was kept.")
        }
    }
}

extension ServiceError: Worded {
    public var sentence: String {
        switch self {
        case .notRunning: tr("Parley is not running.")
        case .notInstalled: tr("Parley can't be started: this session does not know it. Install Parley first.")
        case .startFailed(let message): tr("Parley could not be started: %s.", String(message.withoutPeriod))
        case .stillRunning: tr("Parley was told to end, and runs still.")
        case .refused(let refusal): refusal.sentence
        case .ended: tr("Parley ended before it answered.")
        case .unexpectedAnswer(let detail): tr("Parley's answer can't be understood (%s).", detail)
        case .bus(let error): error.sentence
        }
    }
}

extension CallRefusal: Worded {
    public var sentence: String {
        switch self {
        case .noSuchCall: tr("There is no such call any more.")
        case .noSuchContact: tr("There is no contact of that name.")
        case .blocked: tr("This contact is blocked. Unblock them to call.")
        case .wrongState: tr("The call is not at a point where that can be done.")
        case .notReachable: tr("Parley can't call now: it has no relay, or its profile is locked.")
        case .noDisplay: tr("Parley has no display on which it could show the call.")
        case .cancelled: tr("The call was not agreed to in Parley's window.")
        case .disabled: tr("Other programs may not control calls. Parley's preferences can allow it.")
        }
    }
}

extension Reachability: Worded {
    public var sentence: String {
        switch self {
        case .yes: tr("Calls come in.")
        case .connecting: tr("It is connecting to its relays.")
        case .locked: tr("Its profile is locked.")
        case .no: tr("Calls don't come in: it has no relay.")
        }
    }
}
