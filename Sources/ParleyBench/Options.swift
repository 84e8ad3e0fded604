import ArgumentParser
import SMP

/// `1,100,1000`.
struct ConnectionCounts: ExpressibleByArgument, Equatable, Sendable {
    var counts: [Int]

    init(counts: [Int]) { self.counts = counts }

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let counts = parts.compactMap { $0 }
        guard counts.count == parts.count, LoadPlan.Limits.counts.contains(counts.count),
            counts.allSatisfy(LoadPlan.Limits.connections.contains)
        else { return nil }
        self.init(counts: counts)
    }

    var defaultValueDescription: String { counts.map(String.init).joined(separator: ",") }
}

/// `smp://fingerprint@host:port`.
struct TargetAddress: ExpressibleByArgument, Equatable, Sendable {
    var address: RelayAddress

    init?(argument: String) {
        guard let address = try? RelayAddress(parsing: argument) else { return nil }
        self.address = address
    }
}

/// `MIN-MAX`.
struct MirrorVersions: ExpressibleByArgument, Equatable, Sendable {
    var range: SMPVersionRange

    init?(argument: String) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { UInt16($0) }
        // The mirror reads transmissions without the service slot of version 16.
        guard parts.count == 2, let low = parts[0], let high = parts[1], low >= 9, low <= high, high < 16 else {
            return nil
        }
        range = SMPVersionRange(low...high)
    }
}
