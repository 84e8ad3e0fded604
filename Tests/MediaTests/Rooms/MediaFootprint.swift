import Foundation
import TestSupport

/// What media hold of the system: threads of GStreamer and libnice, and sockets for datagrams. Not what the test's own client for a
/// server's signaling has, which comes and goes.
struct MediaFootprint: Equatable {
    var threads: [String: Int]
    var sockets: Int

    static var now: MediaFootprint {
        let clients = ["qos", "pool-", "worker"]
        // Elements of one kind are numbered.
        var threads: [String: Int] = [:]
        for (name, count) in ProcessFootprint.now.threadNames where !clients.contains(where: name.contains) {
            threads[name.filter { !$0.isNumber }, default: 0] += count
        }
        return MediaFootprint(threads: threads, sockets: datagramSockets)
    }

    /// Those of this process among the kernel's list.
    private static var datagramSockets: Int {
        let tables = ["/proc/self/net/udp", "/proc/self/net/udp6"].flatMap { kernelFile($0).split(separator: "\n") }
        // The tenth field is the number that a descriptor's link names.
        let known = Set(tables.compactMap { $0.split(separator: " ").dropFirst(9).first.map { "socket:[\($0)]" } })
        let folder = "/proc/self/fd"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return descriptors.count { descriptor in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")).map(known.contains)
                ?? false
        }
    }
}
