import CSecret
import GLibKit

/// Why the desktop's keyring could not be used.
public enum KeyringError: Error, Equatable, Sendable {
    /// There is no session bus, or nobody on it keeps secrets. (reason)
    case missing(String)
    /// It is locked, or has no place for secrets yet, and nobody was asked or the person said no.
    case locked
    /// It did not answer in time.
    case silent
    /// It refused. (the service's own words)
    case refused(message: String)
    /// There is no memory that keeps secrets.
    case noMemory
    /// It did not give back what was kept.
    case lost
}

extension KeyringError {
    /// What libsecret or the bus reported.
    init(_ error: GLibError) {
        switch (error.domain, error.code) {
        case ("secret-error", Int(SECRET_ERROR_IS_LOCKED.rawValue)): self = .locked
        case ("g-io-error-quark", Int(G_IO_ERROR_CANCELLED.rawValue)): self = .silent
        case ("g-io-error-quark", Int(G_IO_ERROR_TIMED_OUT.rawValue)): self = .silent
        case ("g-dbus-error-quark", Int(G_DBUS_ERROR_SERVICE_UNKNOWN.rawValue)),
            ("g-dbus-error-quark", Int(G_DBUS_ERROR_NAME_HAS_NO_OWNER.rawValue)),
            ("g-dbus-error-quark", Int(G_DBUS_ERROR_NO_SERVER.rawValue)),
            ("g-dbus-error-quark", Int(G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND.rawValue)),
            ("g-dbus-error-quark", Int(G_DBUS_ERROR_SPAWN_FAILED.rawValue)),
            ("g-dbus-error-quark", Int(G_DBUS_ERROR_SPAWN_EXEC_FAILED.rawValue)),
            ("g-dbus-error-quark", Int(G_DBUS_ERROR_SPAWN_CHILD_EXITED.rawValue)),
            ("g-io-error-quark", _):
            self = .missing(error.message)
        default: self = .refused(message: error.message)
        }
    }
}
