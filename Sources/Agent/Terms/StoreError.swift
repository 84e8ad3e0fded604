/// Why the agent's store can't be opened or used.
public enum StoreError: Error, Hashable, Codable, Sendable {
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

extension StoreError {
    /// Whether another attempt may succeed without anybody's changing the file.
    var isTemporary: Bool {
        switch self {
        case .inUse, .full, .unavailable: true
        case .wrongKey, .newerSchema, .damaged, .invalidKey, .closed: false
        }
    }
}
