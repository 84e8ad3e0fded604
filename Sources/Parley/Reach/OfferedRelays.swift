import Foundation
import SMP

/// A relay that its operator offers to others, as a list names it. Nobody but the list's author vouches for any of it.
public struct OfferedRelay: Sendable, Hashable, Identifiable {
    /// Who runs it.
    public var operatorName: String
    /// `smp://FINGERPRINT@HOST:PORT`.
    public var address: String
    /// Where its conditions of use stand; whoever uses it has to accept them.
    public var conditions: URL
    /// What it learns of its users, one sentence of the list's author; nil where the list says nothing.
    public var sees: String?
    /// Whether it tells a call the address at which this machine is seen, as the list says.
    public var findsAddresses = false

    public var id: String { address }
}

/// What is wrong with a list of relays.
public enum OfferedRelaysError: Error, Equatable, Sendable {
    /// It can't be read. (path)
    case unreadable(String)
    /// It is longer than `OfferedRelays.maximumBytes`, or names more than `OfferedRelays.maximumCount`.
    case tooLong
    /// It is no such list.
    case malformed
    /// It is of a later form than this program knows. (its number)
    case newer(Int)
    /// An entry can't be used: its number in the list, from 1, and the part of it.
    case entry(Int, part: String)
}

/// Lists of relays that distributions and operators may install (docs/relays.md). Parley comes with an empty one.
public enum OfferedRelays {
    /// Bytes of a list.
    public static let maximumBytes = 262_144
    /// Entries of a list.
    public static let maximumCount = 64
    fileprivate static let form = 1
    private static let maximumName = 100
    private static let maximumSentence = 500
    private static let maximumURL = 2_000

    fileprivate struct Form: Decodable { var form: Int }

    fileprivate struct File: Decodable {
        struct Entry: Decodable {
            var `operator`: String
            var address: String
            var conditions: String
            var sees: String?
            var findsAddresses: Bool?
        }

        var form: Int
        var relays: [Entry]
    }

    /// Where lists may lie; the first that is there counts.
    public static func paths(environment: [String: String] = ProcessInfo.processInfo.environment) -> [String] {
        let folders = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        return ["/etc/parley/relays.json"]
            + folders.split(separator: ":").filter { $0.hasPrefix("/") }.map { $0 + "/parley/relays.json" }
    }

    /// The relays of the first list that is there; none without a list.
    /// - Throws: `OfferedRelaysError`.
    public static func read(_ paths: [String] = paths()) throws(OfferedRelaysError) -> [OfferedRelay] {
        guard let path = paths.first(where: { FileManager.default.fileExists(atPath: $0) }) else { return [] }
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.read(upToCount: maximumBytes + 1)
        else {
            // An empty file reads as nothing.
            if let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int, size == 0 {
                throw .malformed
            }
            throw .unreadable(path)
        }
        return try [OfferedRelay](decoding: [UInt8](data))
    }

    /// A text without what can't be seen or changes the direction of others; nil when nothing is left.
    private static func shown(_ text: String) -> String? {
        let kept = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
        let result = String(String.UnicodeScalarView(kept)).trimmingCharacters(in: .whitespaces)
        return result.isEmpty ? nil : result
    }

    fileprivate static func relay(_ entry: File.Entry, number: Int) throws(OfferedRelaysError) -> OfferedRelay {
        guard entry.operator.count <= maximumName, let name = DisplayName.cleaned(entry.operator) else {
            throw .entry(number, part: "operator")
        }
        // What a password opens is not offered to everybody.
        guard let address = try? RelayAddress(parsing: entry.address), address.password == nil,
            address.reach == .everywhere
        else { throw .entry(number, part: "address") }
        guard entry.conditions.utf8.count <= maximumURL, let url = URL(string: entry.conditions), url.scheme == "https",
            url.host?.isEmpty == false
        else { throw .entry(number, part: "conditions") }
        var relay = OfferedRelay(operatorName: name, address: address.text, conditions: url)
        relay.findsAddresses = entry.findsAddresses ?? false
        if let sees = entry.sees {
            guard sees.count <= maximumSentence, let sentence = shown(sees) else {
                throw .entry(number, part: "sees")
            }
            relay.sees = sentence
        }
        return relay
    }
}

extension [OfferedRelay] {
    /// Reads a list.
    /// - Throws: `OfferedRelaysError`.
    public init(decoding bytes: [UInt8]) throws(OfferedRelaysError) {
        guard bytes.count <= OfferedRelays.maximumBytes else { throw .tooLong }
        guard let number = try? JSONDecoder().decode(OfferedRelays.Form.self, from: Data(bytes)).form else {
            throw .malformed
        }
        guard number <= OfferedRelays.form else { throw .newer(number) }
        guard number == OfferedRelays.form,
            let file = try? JSONDecoder().decode(OfferedRelays.File.self, from: Data(bytes))
        else { throw .malformed }
        guard file.relays.count <= OfferedRelays.maximumCount else { throw .tooLong }
        self = []
        for (index, entry) in file.relays.enumerated() {
            append(try OfferedRelays.relay(entry, number: index + 1))
        }
        guard Set(map(\.address)).count == count else { throw .malformed }
    }
}
