import Cryptography

/// Keys of messages that were skipped and may still come, by header key and number.
///
/// Two limits bound what a peer or a relay can make this grow to: the gap of one message (the protocol's), and the
/// total (ours). Beyond the total the oldest keys go, and their messages become unreadable.
package struct SkippedKeys: Sendable, Equatable {
    /// A received number may be at most this far ahead (Agent fact sheet §6).
    static let maximumGap: UInt32 = 512
    /// Keys kept altogether: four full gaps, about 100 KB when stored.
    package static let maximumCount = 2048

    /// The keys of one chain.
    struct Chain: Sendable, Equatable {
        let headerKey: SecretBytes
        var keys: [UInt32: MessageKey]
    }

    /// Oldest first, none of them empty.
    private(set) var chains: [Chain] = []
    /// How many message keys are kept.
    package private(set) var count = 0

    /// Keeps the key of one message.
    mutating func insert(_ key: MessageKey, number: UInt32, headerKey: SecretBytes) {
        if let index = chains.lastIndex(where: { $0.headerKey == headerKey }) {
            if chains[index].keys.updateValue(key, forKey: number) != nil { count -= 1 }
        } else {
            chains.append(Chain(headerKey: headerKey, keys: [number: key]))
        }
        count += 1
        while count > Self.maximumCount { removeOldest() }
    }

    /// Takes the key of one message out, if it is kept.
    mutating func take(number: UInt32, headerKey: SecretBytes) -> MessageKey? {
        guard let index = chains.firstIndex(where: { $0.headerKey == headerKey }),
            let key = chains[index].keys.removeValue(forKey: number)
        else { return nil }
        count -= 1
        if chains[index].keys.isEmpty { chains.remove(at: index) }
        return key
    }

    private mutating func removeOldest() {
        guard let chain = chains.first, let number = chain.keys.keys.min() else { return }
        _ = take(number: number, headerKey: chain.headerKey)
    }
}
