import RelayRules
import SMPSession

/// Who gave wrong passwords, and how long they have to wait before another is looked at: an address as a whole, so that more
/// connections don't help; at this machine each session. Times are seconds of a steady clock.
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
        var until = 0.0
        var last = 0.0
    }

    /// Wrong passwords that cost nothing: people mistype.
    static let free = 5
    /// The first wait; each further wrong password doubles it.
    static let first = 1.0
    static let most = 300.0
    /// After so long without another one everything is forgiven.
    static let memory = 3_600.0

    /// Who is remembered at most; beyond that, those who don't have to wait are forgotten.
    static let capacity = 65_536

    private var records: [Guesser: Record] = [:]

    /// How many are remembered.
    var count: Int { records.count }

    /// For how long nothing that needs the password is done for somebody; 0 as a rule.
    func wait(for guesser: Guesser, at now: Double) -> Double { max(0, (records[guesser]?.until ?? 0) - now) }

    /// A wrong password was given.
    mutating func failed(_ guesser: Guesser, at now: Double) {
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
    private mutating func makeRoom(_ now: Double) {
        records = records.filter { $0.value.until > now }
        guard records.count > Self.capacity / 2 else { return }
        let kept = records.sorted { $0.value.until > $1.value.until }.prefix(Self.capacity / 2)
        records = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    /// Forgets what is forgiven.
    mutating func tidy(at now: Double) { records = records.filter { now - $0.value.last < Self.memory } }
}
