/// What a person is to know of the choice among devices of one kind.
public enum DeviceNotice: Sendable, Hashable {
    /// There is none.
    case missing(DeviceKind)
    /// One was plugged in, and is used now. (its name)
    case plugged(DeviceKind, String)
    /// The one in use has gone; the one that is used instead, if there is one. (their names)
    case unplugged(DeviceKind, String, instead: String?)
    /// The one that is wanted is not there; the one that is used instead, if there is one. (their names)
    case notFound(DeviceKind, String, instead: String?)
    /// Another one could not be opened, or it had stopped: this is used on. (its name)
    case stillUsed(DeviceKind, String)
    /// One does not work; the one that is used in its place. (their names)
    case replaced(DeviceKind, String, by: String)
}
