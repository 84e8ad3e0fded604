import Glibc

/// What this process holds of the system.
public struct ProcessFootprint: Sendable, CustomStringConvertible {
    /// Open descriptors.
    public var descriptors: Int
    /// Threads, by name.
    public var threadNames: [String: Int]
    /// Bytes that were allocated and not freed.
    public var allocated: Int
    /// Bytes in memory.
    public var resident: Int

    /// All threads.
    public var threads: Int { threadNames.values.reduce(0, +) }

    /// What it holds now. Unused memory is given back first.
    public static var now: ProcessFootprint {
        Allocator.giveBack()
        let pages = read("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        var names: [String: Int] = [:]
        for thread in entries(of: "/proc/self/task") {
            let name = read("/proc/self/task/\(thread)/comm").filter { !$0.isNewline }
            // A thread that has just ended has no name any more.
            if !name.isEmpty { names[name, default: 0] += 1 }
        }
        return ProcessFootprint(
            // One of them is the folder's own.
            descriptors: entries(of: "/proc/self/fd").count - 1, threadNames: names, allocated: Allocator.used,
            resident: pages * Int(getpagesize()))
    }

    public var description: String {
        let names = threadNames.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return """
            \(descriptors) descriptors, \(threads) threads (\(names)), \(allocated / 1_024) KiB allocated, \
            \(resident / 1_024) KiB resident
            """
    }

    private static func entries(of path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var found: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { found.append(name) }
        }
        return found
    }

    private static func read(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

/// The C library's allocator. Its header is not among what Swift imports, so its functions are looked up by name.
private enum Allocator {
    private static func symbol<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    }

    /// Gives unused pages back to the system.
    static func giveBack() {
        _ = symbol("malloc_trim", as: (@convention(c) (Int) -> Int32).self)?(0)
    }

    /// Bytes in use: what was taken from the system, without what is free in it, and large pieces of their own.
    static var used: Int {
        guard let report = symbol("malloc_info", as: (@convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32).self)
        else { return 0 }
        var text: UnsafeMutablePointer<CChar>?
        var size = 0
        guard let stream = open_memstream(&text, &size) else { return 0 }
        _ = report(0, stream)
        fclose(stream)
        defer { free(text) }
        guard let text else { return 0 }
        // The totals of all arenas come last.
        let lines = String(cString: text).split(separator: "\n")
        func total(_ beginning: String) -> Int {
            guard let line = lines.last(where: { $0.hasPrefix(beginning) }),
                let digits = line.split(separator: "size=\"").last?.prefix(while: \.isNumber)
            else { return 0 }
            return Int(digits) ?? 0
        }
        return total("<system type=\"current\"") - total("<total type=\"fast\"") - total("<total type=\"rest\"")
            + total("<total type=\"mmap\"")
    }
}
