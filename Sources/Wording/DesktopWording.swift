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
        case .refused(let reason): tr("The keyring refused: %s", reason)
        }
    }
}
