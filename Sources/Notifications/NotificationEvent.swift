import Portal

/// What comes from a notification server.
package enum NotificationEvent: Sendable, Equatable {
    /// Why a notification is not there any more.
    package enum Closing: Sendable, Equatable {
        /// Its time was over.
        case expired
        /// The person sent it away.
        case dismissed
        /// A program asked for it.
        case asked
        /// For no reason that is known.
        case unknown
    }

    /// There is a server from now on. What another one showed before is gone.
    case came(NotificationFeatures)
    /// There is none any more.
    case left
    /// A notification was closed. Its number may be of another program's.
    case closed(UInt32, Closing)
    /// A button was pressed.
    case pressed(UInt32, key: String)
    /// What lets this program's windows come to the front; sent before what was pressed.
    case token(UInt32, String)
}

extension NotificationEvent {
    /// Reads a signal of a server; nil for one that can't be understood.
    init?(_ signal: BusSignal) {
        guard signal.values.count == 2, case .uint32(let id) = signal.values[0], id != 0 else { return nil }
        switch (signal.name, signal.values[1]) {
        case ("NotificationClosed", .uint32(let reason)): self = .closed(id, Closing(reason))
        case ("ActionInvoked", .string(let key)): self = .pressed(id, key: key)
        case ("ActivationToken", .string(let token)) where Self.isToken(token): self = .token(id, token)
        default: return nil
        }
    }

    /// Whether a text may be given to the window system.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 256 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension NotificationEvent.Closing {
    /// Desktop Notifications Specification 1.3, `NotificationClosed`.
    init(_ reason: UInt32) {
        switch reason {
        case 1: self = .expired
        case 2: self = .dismissed
        case 3: self = .asked
        default: self = .unknown
        }
    }
}
