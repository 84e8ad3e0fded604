import BaseKit
import DequeModule
import NIOCore
import SMPSession
import Synchronization

/// How many connections a relay takes, all its listeners together.
public struct ConnectionLimits: Sendable, Equatable {
    /// Open connections.
    public var total: Int
    /// Those of them that have not said hello yet: TLS costs the relay most, and so far the client has shown nothing. One
    /// too many takes the place of the oldest.
    public var greeting: Int
    /// Open connections from one address; an IPv6 network of 64 bits counts as one address, this machine as none.
    public var perAddress: Int
    /// Those of them that have not said hello yet.
    var greetingPerAddress: Int
    /// Connections that one address may make at once, however short they are, and those more that it may make a second: each may
    /// cost a TLS handshake.
    var burstPerAddress = 100
    var ratePerAddress = 20.0

    public init(total: Int = 20_000, greeting: Int = 2_000, perAddress: Int = 500, greetingPerAddress: Int = 32) {
        self.total = total
        self.greeting = greeting
        self.perAddress = perAddress
        self.greetingPerAddress = greetingPerAddress
    }
}

/// Counts connections against their limits.
public final class ConnectionLedger: Sendable {
    /// Which limit a connection met.
    public enum Refusal: String, Sendable, CaseIterable {
        case total, address
        /// It had not said hello, and others that came later had no room.
        case greeting
        /// Too many from its address have not said hello.
        case greetingAddress = "greeting-address"
        /// Its address has made too many of late.
        case rate
        /// The operator blocked its address.
        case blocked
    }

    private struct Entry {
        let origin: ConnectionOrigin?
        let close: @Sendable () -> Void
        var isGreeting = true
    }

    private struct Share {
        var open = 0
        var greeting = 0
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var greeting = 0
        /// Those that have not said hello, oldest first, and some that have or are gone.
        var waiting: Deque<UInt64> = []
        var origins: [ConnectionOrigin: Share] = [:]
        var paces = ConnectionPaces()
        var blocked: Set<ConnectionOrigin> = []
        var refusals: [Refusal: UInt64] = [:]
    }

    public let limits: ConnectionLimits
    public let outputLimits: OutputLimits
    private let state = Lock(State())
    private let outputBytes = Atomic<Int>(0)
    private let unread = Atomic<UInt64>(0)

    public init(limits: ConnectionLimits = ConnectionLimits(), outputLimits: OutputLimits = .none) {
        self.limits = limits
        self.outputLimits = outputLimits
    }

    /// Bytes that wait for clients to read them.
    public var output: Int { outputBytes.load(ordering: .relaxed) }

    /// Sessions closed because they did not read.
    public var unreadSessions: UInt64 { unread.load(ordering: .relaxed) }

    func addOutput(_ bytes: Int) { outputBytes.wrappingAdd(bytes, ordering: .relaxed) }

    /// A session did not read, and is closed for it.
    func gaveUp() { unread.wrappingAdd(1, ordering: .relaxed) }

    /// Open connections.
    public var count: Int { state.withLock { $0.entries.count } }

    /// Connections that were closed at once or before their hello, by the limit they met.
    public var refusals: [Refusal: UInt64] { state.withLock { $0.refusals } }

    /// Takes no connections from these addresses from now on, and closes those they have.
    public func block(_ origins: Set<ConnectionOrigin>) {
        let closing = state.withLock { state in
            state.blocked = origins
            return state.entries.values.filter { $0.origin.map(origins.contains) == true }
        }
        for entry in closing { entry.close() }
    }

    /// Takes a connection in, unless that would pass a limit.
    ///
    /// - Parameter close: closes it, should it have to make room.
    func admit(
        _ number: UInt64, from address: SocketAddress?, at now: Instant = .now,
        close: @escaping @Sendable () -> Void = {}
    ) -> Bool {
        let origin = address.flatMap { ConnectionOrigin($0) }
        let (isAdmitted, displaced) = state.withLock { state -> (Bool, Entry?) in
            if let refusal = refusal(state, origin) ?? state.paces.refusal(origin, limits, at: now) {
                state.refusals[refusal, default: 0] += 1
                return (false, nil)
            }
            let displaced = state.greeting >= limits.greeting ? displaceOldest(&state) : nil
            state.entries[number] = Entry(origin: origin, close: close)
            state.greeting += 1
            state.waiting.append(number)
            if let origin {
                state.origins[origin, default: Share()].open += 1
                state.origins[origin, default: Share()].greeting += 1
            }
            return (true, displaced)
        }
        displaced?.close()
        return isAdmitted
    }

    /// The hellos are over.
    func greeted(_ number: UInt64) { state.withLock { endGreeting(number, &$0) } }

    /// The connection is gone.
    func left(_ number: UInt64) {
        state.withLock { state in
            endGreeting(number, &state)
            guard let entry = state.entries.removeValue(forKey: number), let origin = entry.origin else { return }
            state.origins[origin]?.open -= 1
            if state.origins[origin]?.open == 0 { state.origins[origin] = nil }
        }
    }

    private func endGreeting(_ number: UInt64, _ state: inout State) {
        guard let entry = state.entries[number], entry.isGreeting else { return }
        state.entries[number]?.isGreeting = false
        state.greeting -= 1
        if let origin = entry.origin { state.origins[origin]?.greeting -= 1 }
        while let first = state.waiting.first, state.entries[first]?.isGreeting != true { state.waiting.removeFirst() }
        // One that stays silent must not keep the line of those that came after it.
        if state.waiting.count > 2 * state.greeting + 64 {
            let entries = state.entries
            state.waiting.removeAll { entries[$0]?.isGreeting != true }
        }
    }

    private func displaceOldest(_ state: inout State) -> Entry? {
        while let number = state.waiting.popFirst() {
            guard let entry = state.entries[number], entry.isGreeting else { continue }
            endGreeting(number, &state)
            state.refusals[.greeting, default: 0] += 1
            return entry
        }
        return nil
    }

    private func refusal(_ state: borrowing State, _ origin: ConnectionOrigin?) -> Refusal? {
        if let origin, state.blocked.contains(origin) { return .blocked }
        if state.entries.count >= limits.total { return .total }
        guard let origin, let share = state.origins[origin] else { return nil }
        if share.open >= limits.perAddress { return .address }
        return share.greeting >= limits.greetingPerAddress ? .greetingAddress : nil
    }
}

/// How many connections addresses have made of late.
private struct ConnectionPaces {
    /// When the connections that an address has made are made up for.
    private var paid: [ConnectionOrigin: Instant] = [:]
    /// How many addresses there may be before those that owe nothing are forgotten.
    private var room = 1_024

    /// Notes that an address makes a connection; or why it may not, which costs it nothing.
    mutating func refusal(
        _ origin: ConnectionOrigin?, _ limits: ConnectionLimits, at now: Instant
    ) -> ConnectionLedger.Refusal? {
        guard let origin else { return nil }
        let next = max(now, paid[origin] ?? now) + .seconds(1 / limits.ratePerAddress)
        guard next - now <= .seconds(Double(limits.burstPerAddress) / limits.ratePerAddress) else { return .rate }
        paid[origin] = next
        if paid.count > room {
            paid = paid.filter { $0.value > now }
            room = max(1_024, 2 * paid.count)
        }
        return nil
    }
}
