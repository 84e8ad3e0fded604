import GRDB

/// A store that commits nothing: for so many attempts, or until some time.
struct StoreFault {
    let code: ResultCode
    private var commits: Int?
    private var end: Int64?

    init(code: ResultCode, commits: Int) {
        self.code = code
        self.commits = commits
    }

    init(code: ResultCode, until end: Int64) {
        self.code = code
        self.end = end
    }

    /// Whether the commit that is about to be made succeeds again.
    mutating func isOver(now: Int64) -> Bool {
        if let end { return now >= end }
        guard let left = commits, left > 0 else { return true }
        commits = left - 1
        return false
    }
}
