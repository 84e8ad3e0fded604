import Foundation

/// The memory of a child process that it can write to.
public struct ProcessMemory {
    private let processID: Int32
    private let ranges: [Range<UInt64>]

    /// Reads which parts there are.
    public init(of processID: Int32) throws {
        self.processID = processID
        ranges = kernelFile("/proc/\(processID)/maps").split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 1, words[1].hasPrefix("rw"), !line.hasSuffix("[vvar]") else { return nil }
            let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            return ends.count == 2 ? ends[0]..<ends[1] : nil
        }
    }

    /// Whether the bytes are anywhere.
    /// - Throws: `Overdue` when the memory can't be read.
    public func contains(_ needle: [UInt8]) throws -> Bool {
        let descriptor = open("/proc/\(processID)/mem", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Overdue("The memory of \(processID) can't be read: \(errno).") }
        defer { close(descriptor) }
        var block = [UInt8](repeating: 0, count: 1 << 20)
        for range in ranges {
            var start = range.lowerBound
            while start < range.upperBound {
                let count = pread(descriptor, &block, min(block.count, Int(range.upperBound - start)), off_t(start))
                guard count > 0 else { break }
                if Data(block[..<count]).range(of: Data(needle)) != nil { return true }
                guard count > needle.count else { break }
                // Blocks overlap, so that nothing is missed between two.
                start += UInt64(count == Int(range.upperBound - start) ? count : count - needle.count)
            }
        }
        return false
    }
}
