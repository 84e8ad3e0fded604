import NIOCore
import Synchronization

/// How many connections a relay takes, all its listeners together.
public struct ConnectionLimits: Sendable, Equatable {
    /// Open connections.
    public var total: Int
    /// Those of them that have not said hello yet: TLS costs the relay most, and so far the client has shown nothing.
    public var greeting: Int
    /// Open connections from one address; an IPv6 network of 64 bits counts as one address, this machine as none.
    public var perAddress: Int

    public init(total: Int = 20_000, greeting: Int = 2_000, perAddress: Int = 500) {
        self.total = total
        self.greeting = greeting
        self.perAddress = perAddress
    }
}

/// Counts connections against their limits.
public final class ConnectionLedger: Sendable {
    /// Which limit a connection met.
    public enum Refusal: String, Sendable, CaseIterable {
        case total, greeting, address
    }

    private struct Entry {
        let origin: Origin?
        var isGreeting = true
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var greeting = 0
        var origins: [Origin: Int] = [:]
        var refusals: [Refusal: UInt64] = [:]
    }

    public let limits: ConnectionLimits
    private let state = Mutex(State())

    public init(limits: ConnectionLimits = ConnectionLimits()) { self.limits = limits }

    /// Open connections.
    public var count: Int { state.withLock { $0.entries.count } }

    /// Connections that were closed at once, by the limit they met.
    public var refusals: [Refusal: UInt64] { state.withLock { $0.refusals } }

    /// Takes a connection in, unless that would pass a limit.
    func admit(_ number: UInt64, from address: SocketAddress?) -> Bool {
        let origin = address.flatMap { Origin($0) }
        return state.withLock { state in
            if let refusal = refusal(state, origin) {
                state.refusals[refusal, default: 0] += 1
                return false
            }
            state.entries[number] = Entry(origin: origin)
            state.greeting += 1
            if let origin { state.origins[origin, default: 0] += 1 }
            return true
        }
    }

    /// The hellos are over.
    func greeted(_ number: UInt64) {
        state.withLock { state in
            guard state.entries[number]?.isGreeting == true else { return }
            state.entries[number]?.isGreeting = false
            state.greeting -= 1
        }
    }

    /// The connection is gone.
    func left(_ number: UInt64) {
        state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: number) else { return }
            if entry.isGreeting { state.greeting -= 1 }
            guard let origin = entry.origin, let count = state.origins[origin] else { return }
            state.origins[origin] = count > 1 ? count - 1 : nil
        }
    }

    private func refusal(_ state: borrowing State, _ origin: Origin?) -> Refusal? {
        if state.entries.count >= limits.total { return .total }
        if state.greeting >= limits.greeting { return .greeting }
        if let origin, state.origins[origin] ?? 0 >= limits.perAddress { return .address }
        return nil
    }

    /// Where a connection comes from, as far as it is counted.
    private struct Origin: Hashable {
        let bytes: [UInt8]

        /// Nil for this machine, where a proxy of an onion service or of a port may speak for many.
        init?(_ address: SocketAddress) {
            switch address {
            case .v4(let address):
                let bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
                guard bytes.first != 127 else { return nil }
                self.bytes = bytes
            case .v6(let address):
                let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
                guard bytes != Array(repeating: 0, count: 15) + [1] else { return nil }
                self.bytes = Array(bytes.prefix(8))
            case .unixDomainSocket: return nil
            }
        }
    }
}
