import Glibc

/// What Linux tells of a process (proc_pid_stat(5), proc_pid_status(5)).
struct ProcessStatistics: Equatable, Sendable {
    /// Processor time in user and kernel mode since the start, in seconds.
    var processorSeconds: Double
    /// Memory that is in RAM, in bytes.
    var residentBytes: Int

    /// Reads `/proc`; nil when there is no such process.
    static func read(process: Int32) -> ProcessStatistics? {
        guard let stat = contents("/proc/\(process)/stat"), let status = contents("/proc/\(process)/status") else {
            return nil
        }
        return parse(stat: stat, status: status, ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))))
    }

    static func parse(stat: String, status: String, ticksPerSecond: Double) -> ProcessStatistics? {
        // The name in parentheses may hold anything; the third field follows its end.
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        // utime and stime are the 14th and 15th fields of the line.
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]), ticksPerSecond > 0,
            let resident = bytes(of: "VmRSS", in: status)
        else { return nil }
        return ProcessStatistics(processorSeconds: (user + system) / ticksPerSecond, residentBytes: resident)
    }

    /// A figure of such a file, which says it in kB; nil where it says none.
    static func bytes(of name: String, in text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        let fields = line?.split(whereSeparator: { $0 == " " || $0 == "\t" })
        return fields?.dropFirst().first.flatMap { Int($0) }.map { $0 * 1_024 }
    }

    /// The first 8 kB of a file; nil when it is not there.
    static func contents(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8_192)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

/// Lets this process and those it starts have as many connections as the system allows.
func raiseFileLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
