import SMP

/// Which relay gets a new queue. Pure: what is in use and the source of chance come from the caller.
struct RelayChoice {
    /// How many queues there are already, by the relay's key hash.
    var uses: [[UInt8]: Int]
    /// Key hashes of relays that are taken only when there is no other (Agent fact sheet §12).
    var avoided: [[UInt8]]

    /// One of the least used relays that are not avoided, or of all.
    func relay(
        from relays: [RelayAddress], using random: inout some RandomNumberGenerator
    ) -> RelayAddress? {
        let preferred = relays.filter { !avoided.contains($0.keyHash) }
        let candidates = preferred.isEmpty ? relays : preferred
        let least = candidates.map { uses[$0.keyHash] ?? 0 }.min()
        return candidates.filter { uses[$0.keyHash] ?? 0 == least }.randomElement(using: &random)
    }
}
