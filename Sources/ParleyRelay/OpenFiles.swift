import Glibc

/// The system's limit of open files, which every connection counts against.
enum OpenFiles {
    /// Files of the relay itself.
    private static let own = 64

    /// Raises the limit for so many connections, as far as the system lets it.
    ///
    /// - Returns: how many connections there is room for, `connections` at most.
    static func makeRoom(for connections: Int) -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return connections }
        let wanted = rlim_t(connections + own)
        if limit.rlim_cur < wanted {
            limit.rlim_cur = min(limit.rlim_max, wanted)
            setrlimit(resource, &limit)
            getrlimit(resource, &limit)
        }
        return min(connections, max(1, Int(clamping: limit.rlim_cur) - own))
    }
}
