import Calling
import Foundation
import Signaling

/// The contacts of an account and how they are kept: one JSON document in the agent's sealed store.
struct ContactBook: Sendable, Equatable {
    struct Record: Sendable, Codable, Equatable {
        /// The agent's connection, which also names the contact.
        var connection: String
        /// The name the person gave themselves; nil until their profile came.
        var name: String?
        var isConnected = false
        var isTestCall = false
        /// The person's preference for calls: `always`, `yes` or `no`.
        var calls = FeaturePreference.yes.rawValue
    }

    private(set) var records: [Record] = []

    init() {}

    /// Reads what `encoded()` wrote.
    init(decoding bytes: [UInt8]) throws(AccountError) {
        do {
            records = try JSONDecoder().decode([Record].self, from: Data(bytes))
        } catch {
            throw .store("The list of contacts is damaged.")
        }
    }

    func encoded() throws(AccountError) -> [UInt8] {
        do {
            return [UInt8](try JSONEncoder().encode(records))
        } catch {
            throw .store("The list of contacts can't be written.")
        }
    }

    subscript(id: ContactID) -> Record? { records.first { $0.connection == id.rawValue } }

    /// Adds a contact, or changes the one there is.
    mutating func update(_ id: ContactID, _ change: (inout Record) -> Void) {
        let index =
            records.firstIndex { $0.connection == id.rawValue }
            ?? {
                records.append(Record(connection: id.rawValue))
                return records.count - 1
            }()
        change(&records[index])
    }

    mutating func remove(_ id: ContactID) { records.removeAll { $0.connection == id.rawValue } }

    /// The contacts with names that differ: a second “Ann” becomes “Ann (2)”.
    var contacts: [Contact] {
        var seen: [String: Int] = [:]
        return records.map { record in
            let name = record.name ?? "New contact"
            let count = seen[name, default: 0] + 1
            seen[name] = count
            return Contact(
                id: ContactID(rawValue: record.connection), name: count == 1 ? name : "\(name) (\(count))",
                isTestCall: record.isTestCall, isConnected: record.isConnected,
                allowsCalls: record.calls != FeaturePreference.no.rawValue)
        }
    }
}
