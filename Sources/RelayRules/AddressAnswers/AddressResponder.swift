import BaseKit
import SMPSession
import STUN

/// Tells whoever asks by STUN which address they are seen at (RFC 8489 §6.3, §7.3): a datagram goes in, at most one comes out.
///
/// It keeps nothing of a request but how many came from its address lately: a datagram names its sender falsely with ease, and what
/// is answered then goes to somebody else. No answer has more than ``maximumAnswer`` bytes.
package struct AddressResponder: Sendable {
    /// Why a datagram has no answer.
    package enum Drop: String, Sendable, CaseIterable {
        /// It is no message of STUN, or another one than was sent.
        case malformed
        /// It is a message that asks for no address.
        case other
        /// Too many came from its address, or in all.
        case limited
    }

    /// What has been done since the start.
    package struct Counts: Equatable, Sendable {
        /// Requests that were told their address.
        package var answered: UInt64 = 0
        /// Requests that ask for more than is understood, and were told so.
        package var refused: UInt64 = 0
        package var dropped: [Drop: UInt64] = [:]

        package init() {}
    }

    /// Bytes of an answer at most. The shortest request has 20; with the headers of IP and UDP an answer is never one and a half
    /// times as long as its question.
    static let maximumAnswer = 52

    /// Answers to one address that cost nothing, and those it may have a second besides. Many people may be behind one.
    static let burst = 100.0
    static let rate = 20.0
    /// The same for all addresses together.
    static let totalBurst = 10_000.0
    static let totalRate = 5_000.0
    /// Addresses that are remembered.
    static let maximumOrigins = 16_384

    package private(set) var counts = Counts()
    private var budgets: [ConnectionOrigin: Budget] = [:]
    private var total: Budget
    private var swept: Instant

    package init(time: Instant) {
        total = Budget(left: Self.totalBurst, time: time)
        swept = time
    }

    /// A datagram came.
    /// - Parameters:
    ///   - address: the 4 or 16 bytes of the address that it came from.
    /// - Returns: what is to be sent back there; nil for nothing.
    package mutating func receive(
        _ datagram: [UInt8], from address: [UInt8], port: UInt16, at now: Instant
    ) -> [UInt8]? {
        guard let request = STUNMessage(decoding: datagram), !request.isDamaged else { return drop(.malformed) }
        guard request.kind == .request, request.method == .binding else { return drop(.other) }
        guard isAllowed(address, now) else { return drop(.limited) }
        let unknown = request.unknownAttributes
        guard unknown.isEmpty else {
            counts.refused += 1
            return Self.refusal(request, unknown)
        }
        var answer = STUNMessage(.binding, .success, transaction: request.transaction)
        answer.add(seen: address, port: port)
        counts.answered += 1
        return answer.encodedWithFingerprint()
    }

    /// 420, with the types that are not understood (RFC 8489 §6.3.1); some of them where there are many.
    private static func refusal(_ request: STUNMessage, _ unknown: [UInt16]) -> [UInt8] {
        var answer = STUNMessage(.binding, .error, transaction: request.transaction)
        answer.add(refusal: 420)
        answer.add(
            .unknownAttributes,
            unknown.prefix(4).flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] })
        return answer.encodedWithFingerprint()
    }

    private mutating func drop(_ reason: Drop) -> [UInt8]? {
        counts.dropped[reason, default: 0] += 1
        return nil
    }

    /// Whether an address, or its network, may have an answer now. This machine always may.
    private mutating func isAllowed(_ address: [UInt8], _ now: Instant) -> Bool {
        guard let origin = Self.origin(address) else { return true }
        if budgets[origin] == nil, budgets.count >= Self.maximumOrigins {
            forgetIdle(now)
            guard budgets.count < Self.maximumOrigins else { return false }
        }
        var budget = budgets[origin] ?? Budget(left: Self.burst, time: now)
        let isAllowed = budget.admit(now, rate: Self.rate, most: Self.burst)
        budgets[origin] = budget
        return isAllowed && total.admit(now, rate: Self.totalRate, most: Self.totalBurst)
    }

    /// Forgets addresses that could have a burst again. Once a second, however many new ones come.
    private mutating func forgetIdle(_ now: Instant) {
        guard now - swept >= .seconds(1) else { return }
        swept = now
        budgets = budgets.filter { $0.value.isInUse(now, rate: Self.rate, most: Self.burst) }
    }

    private static func origin(_ address: [UInt8]) -> ConnectionOrigin? {
        if address.count == 4 {
            return ConnectionOrigin(v4: address.reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
        return address.count == 16 ? address.withUnsafeBytes { ConnectionOrigin(v6: $0) } : nil
    }
}

/// What is left of so much at once and so much a second.
private struct Budget: Sendable {
    var left: Double
    var time: Instant

    mutating func admit(_ now: Instant, rate: Double, most: Double) -> Bool {
        left = present(now, rate, most)
        time = max(time, now)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }

    func isInUse(_ now: Instant, rate: Double, most: Double) -> Bool { present(now, rate, most) < most }

    private func present(_ now: Instant, _ rate: Double, _ most: Double) -> Double {
        min(most, left + max(.zero, now - time).inSeconds * rate)
    }
}
