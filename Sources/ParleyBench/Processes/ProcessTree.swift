import Foundation
import Glibc

/// A process and all that come from it, as `/proc` tells.
struct ProcessTree: Equatable, Sendable {
    /// Processor time of all that live, in seconds.
    var processorSeconds = 0.0
    /// Memory, with what is shared divided among those that share it, in bytes.
    var proportionalBytes = 0
    var count = 0

    /// Reads the tree below `root`, which belongs to it.
    static func read(root: Int32) -> ProcessTree {
        family(of: root).reduce(into: ProcessTree()) {
            guard let statistics = ProcessStatistics.read(process: $1) else { return }
            $0.processorSeconds += statistics.processorSeconds
            $0.proportionalBytes +=
                ProcessStatistics.contents("/proc/\($1)/smaps_rollup").flatMap {
                    ProcessStatistics.bytes(of: "Pss", in: $0)
                } ?? 0
            $0.count += 1
        }
    }

    /// Who comes from `root` now; it belongs to them.
    static func family(of root: Int32) -> Set<Int32> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let parents = names.compactMap { Int32($0) }.compactMap { process in
            ProcessStatistics.contents("/proc/\(process)/stat").flatMap(parent).map { (process, $0) }
        }
        return family(of: root, parents: Dictionary(parents) { first, _ in first })
    }

    /// Who comes from `root`, by the parent of each.
    static func family(of root: Int32, parents: [Int32: Int32]) -> Set<Int32> {
        let children = Dictionary(grouping: parents.keys) { parents[$0] ?? 0 }
        var (family, waiting): (Set<Int32>, [Int32]) = ([], [root])
        while let next = waiting.popLast() {
            guard family.insert(next).inserted else { continue }
            waiting += children[next] ?? []
        }
        return family
    }

    /// The parent that a line of `/proc/PID/stat` names.
    static func parent(_ stat: String) -> Int32? {
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        return fields.count > 1 ? Int32(fields[1]) : nil
    }
}
