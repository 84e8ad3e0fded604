import SMPSession

/// How much strangers may have a relay keep.
public struct StoreLimits: Sendable, Equatable {
    /// What a queue with its indexes is taken to need of memory, without a link, in bytes: what `parley-bench relay` found for
    /// 100,000 idle ones (docs/benchmarks.md), rounded up.
    package static let queueBytes = 1_400
    /// What a message without its body is taken to need of memory, in bytes: estimated from its fields.
    static let messageBytes = 256
    /// What a message takes on disk besides its body.
    static let rowCost = 256

    /// What a session's use of a queue is taken to need of memory, in bytes: estimated from its fields.
    static let entryBytes = 128

    /// Queues in all.
    public var queues: Int
    /// Messages in all.
    public var messages: Int
    /// Queues that sessions fetch from with GET, each counted once a session.
    public var fetchedQueues: Int
    /// Bytes of data of links in all; they are kept in memory.
    public var linkBytes: Int
    /// Bytes of message bodies in memory that are on disk too.
    public var cachedBytes: Int
    /// Bytes of message bodies that are not on disk yet; who sends more waits.
    public var unwrittenBytes: Int
    /// Bytes of the database's pages in memory.
    public var pageBytes: Int
    /// Bytes of messages on disk in all, 256 for each besides its body.
    public var storedBytes = 16 << 30
    /// Queues that were made from one address since the start and exist.
    public var queuesPerAddress = 20_000
    /// Bytes of messages that came from one address since the start and wait.
    public var storedBytesPerAddress = 1 << 30

    /// Bytes of disk kept free, so that a full disk can be emptied: more than what is not on disk yet can grow to in its log.
    public var reserveBytes = 0

    /// Divides memory up: half of it for queues, a quarter for messages without their bodies, the rest for links, bodies and
    /// what is to be written. The database's pages come on top.
    ///
    /// - Parameter memory: bytes, of which an eighth is meant for what waits to be sent.
    public init(memory: Int = 1 << 30) {
        queues = memory / 2 / Self.queueBytes
        messages = memory / 4 / Self.messageBytes
        fetchedQueues = memory / 64 / Self.entryBytes
        linkBytes = memory / 64 * 3
        cachedBytes = memory / 32
        unwrittenBytes = memory / 32
        pageBytes = min(1 << 26, memory / 16)
    }
}

/// What is kept, in all and by the address it came from. Addresses are known since the start only, and are on no disk.
package struct StoreUse: Sendable, Equatable {
    struct Share: Sendable, Equatable {
        var queues = 0
        var bytes = 0
    }

    private(set) var queues = 0
    private(set) var messages = 0
    package private(set) var bytes = 0
    private(set) var linkBytes = 0
    private var shares: [ConnectionOrigin: Share] = [:]

    func hasRoomForQueue(from origin: ConnectionOrigin?, _ limits: StoreLimits) -> Bool {
        queues < limits.queues && share(origin).queues < limits.queuesPerAddress
    }

    /// - Parameter count: bytes of its body.
    func hasRoomForMessage(_ count: Int, from origin: ConnectionOrigin?, _ limits: StoreLimits) -> Bool {
        let cost = count + StoreLimits.rowCost
        return messages < limits.messages && bytes + cost <= limits.storedBytes
            && share(origin).bytes + cost <= limits.storedBytesPerAddress
    }

    /// Whether there is more in all than may be.
    func exceeds(_ limits: StoreLimits) -> Bool {
        queues > limits.queues || messages > limits.messages || bytes > limits.storedBytes
            || linkBytes > limits.linkBytes
    }

    mutating func addQueue(from origin: ConnectionOrigin?) {
        queues += 1
        change(origin) { $0.queues += 1 }
    }

    mutating func removeQueue(from origin: ConnectionOrigin?) {
        queues -= 1
        change(origin) { $0.queues -= 1 }
    }

    mutating func add(_ message: StoredMessage) {
        let cost = message.bodyCount + StoreLimits.rowCost
        messages += 1
        bytes += cost
        change(message.origin) { $0.bytes += cost }
    }

    mutating func remove(_ message: StoredMessage) {
        let cost = message.bodyCount + StoreLimits.rowCost
        messages -= 1
        bytes -= cost
        change(message.origin) { $0.bytes -= cost }
    }

    /// A link takes the place of another one.
    mutating func replace(_ old: StoredQueue.Link?, _ new: StoredQueue.Link?) {
        linkBytes += (new?.byteCount ?? 0) - (old?.byteCount ?? 0)
    }

    private func share(_ origin: ConnectionOrigin?) -> Share { origin.flatMap { shares[$0] } ?? Share() }

    private mutating func change(_ origin: ConnectionOrigin?, _ body: (inout Share) -> Void) {
        guard let origin else { return }
        var share = shares[origin] ?? Share()
        body(&share)
        shares[origin] = share == Share() ? nil : share
    }
}

extension StoredQueue.Link {
    /// What its data takes.
    var byteCount: Int { data.fixed.count + data.user.count }
}
