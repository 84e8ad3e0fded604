import BaseKit
import RelayRules
import SMPSession

/// Who gave wrong passwords, and how long they have to wait before another is looked at: an address as a whole, so that more
/// connections don't help; at this machine each session.
struct PasswordGuard: Sendable {
    /// Whose guesses are counted together.
    enum Guesser: Hashable, Sendable {
        case address(ConnectionOrigin)
        case session(SessionNumber)

        init(_ session: SessionNumber, from origin: ConnectionOrigin?) {
            self = origin.map { .address($0) } ?? .session(session)
        }
    }

    private struct Record {
        var wrong = 0
        var until = Instant(sinceStart: .zero)
        var last = Instant(sinceStart: .zero)
    }

    /// Wrong passwords that cost nothing: people mistype.
    static let free = 5
    /// The first wait; each further wrong password doubles it.
    static let first = Duration.seconds(1)
    static let most = Duration.seconds(300)
    /// After so long without another one everything is forgiven.
    static let memory = Duration.seconds(3_600)

    /// Who is remembered at most; beyond that, those who don't have to wait are forgotten.
    static let capacity = 65_536

    private var records: [Guesser: Record] = [:]

    /// How many are remembered.
    var count: Int { records.count }

    /// For how long nothing that needs the password is done for somebody; zero as a rule.
    func wait(for guesser: Guesser, at now: Instant) -> Duration {
        records[guesser].map { max(.zero, $0.until - now) } ?? .zero
    }

    /// A wrong password was given.
    mutating func failed(_ guesser: Guesser, at now: Instant) {
        if records[guesser] == nil, records.count >= Self.capacity { makeRoom(now) }
        var record = records[guesser] ?? Record()
        if now - record.last >= Self.memory { record = Record() }
        record.wrong += 1
        record.last = now
        if record.wrong > Self.free {
            var wait = Self.first
            for _ in 0..<min(record.wrong - Self.free - 1, 16) { wait = min(Self.most, wait * 2) }
            record.until = now + wait
        }
        records[guesser] = record
    }

    /// A session is gone, and no other has its number.
    mutating func ended(_ session: SessionNumber) { records[.session(session)] = nil }

    /// A half goes at least, so that this is seldom done.
    private mutating func makeRoom(_ now: Instant) {
        records = records.filter { $0.value.until > now }
        guard records.count > Self.capacity / 2 else { return }
        let kept = records.sorted { $0.value.until > $1.value.until }.prefix(Self.capacity / 2)
        records = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    /// When the next of them is forgiven; nil where nobody has to be.
    var nextForgiven: Instant? { records.values.map(\.last).min().map { $0 + Self.memory } }

    /// Forgets what is forgiven.
    mutating func tidy(at now: Instant) { records = records.filter { now - $0.value.last < Self.memory } }
}
