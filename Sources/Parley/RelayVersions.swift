import BaseKit

/// The SMP version last agreed with each relay.
final class RelayVersions: Sendable {
    private let versions = Lock<[String: Int]>([:])

    func version(of relay: String) -> Int? { versions.withLock { $0[relay] } }

    func set(_ version: Int, of relay: String) { versions.withLock { $0[relay] = version } }
}
