import Foundation

/// Whether and how long the log of calls is kept.
public struct CallLogSettings: Sendable, Hashable {
    /// How long calls stay in the log, counted from when they began.
    public enum Period: String, Sendable, Hashable, CaseIterable {
        /// 24 hours.
        case day
        /// 7 days.
        case week
        /// 30 days.
        case month
        /// 365 days.
        case year
        /// Until the person deletes them.
        case forever

        /// In seconds; nil for ever.
        public var seconds: Int64? {
            switch self {
            case .day: 86_400
            case .week: 7 * 86_400
            case .month: 30 * 86_400
            case .year: 365 * 86_400
            case .forever: nil
            }
        }
    }

    /// Whether calls that end are kept at all. Those that are kept already stay until they are deleted or too old.
    public var isOn = true
    /// How long they are kept. For ever at first, as telephones do it: the log is sealed and leaves the machine no more than contacts
    /// do, and one that forgets by itself loses what somebody may look for.
    public var period = Period.forever

    /// What holds at first.
    public init() {}

    private struct Stored: Codable {
        var isOn: Bool
        var period: String
    }

    /// Reads what `encoded()` wrote; nil if it is something else.
    init?(decoding bytes: [UInt8]) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)) else { return nil }
        isOn = stored.isOn
        period = Period(rawValue: stored.period) ?? .forever
    }

    func encoded() -> [UInt8] {
        (try? JSONEncoder().encode(Stored(isOn: isOn, period: period.rawValue))).map { [UInt8]($0) } ?? []
    }
}
