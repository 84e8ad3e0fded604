/// Why the agent's store can't be opened or used.
public enum StoreError: Error, Equatable, Sendable {
    /// The store was made with another key.
    case wrongKey
    /// The store was written by a newer Parley: its schema number and the newest one known here.
    case newerSchema(found: Int, supported: Int)
    /// Another process has this store open.
    case inUse
    /// A sealed value does not open: the file was changed from outside. Names the column.
    case damaged(String)
    /// The store key is not 32 bytes long.
    case invalidKey
    /// There is no room on the disk, or the person may use no more of it.
    case full
    /// The store was closed before.
    case closed
    /// The file system or SQLite refused; the text is theirs and holds no content.
    case unavailable(String)
}

extension StoreError: CustomStringConvertible {
    /// One sentence a person can act on.
    public var description: String {
        switch self {
        case .wrongKey: "This profile is locked with another key."
        case .newerSchema(let found, let supported):
            "This profile was written by a newer Parley (format \(found), this one reads up to \(supported)); update Parley to open it."
        case .inUse: "This profile is already open in another Parley."
        case .damaged(let place): "This profile is damaged (\(place)); restore it from a backup."
        case .invalidKey: "The key of a profile must be 32 bytes long."
        case .full: "There is no room left on the disk of this profile; make room there."
        case .closed: "This profile has been closed."
        case .unavailable(let reason): "This profile can't be opened or written: \(reason)."
        }
    }
}

extension StoreError {
    /// Whether another attempt may succeed without anybody's changing the file.
    var isTemporary: Bool {
        switch self {
        case .inUse, .full, .unavailable: true
        case .wrongKey, .newerSchema, .damaged, .invalidKey, .closed: false
        }
    }
}
