import Foundation
import SMP
import TOMLKit

/// Reads settings from a file; the names are those of the command line.
package enum SettingsFile {
    /// Read when it is there and no other is named.
    package static let standard = "/etc/parley/relay.toml"

    /// The settings of a file; of the standard one, if there is one, where none is named.
    ///
    /// - Throws: `SettingsError`.
    package static func read(_ named: String?) throws(SettingsError) -> Settings {
        let path = named ?? standard
        if named == nil, access(path, F_OK) != 0 { return Settings() }
        return try parse(text(of: path), file: path)
    }

    /// Characters of a password at least: whoever reaches the relay may guess.
    static let leastPasswordLength = 16

    /// The password in a file: its only line.
    ///
    /// - Throws: `SettingsError.unreadable`, `.badPassword` or `.shortPassword`.
    package static func password(in path: String) throws(SettingsError) -> RelayPassword {
        let text = try text(of: path).trimmingCharacters(in: .newlines)
        guard let password = try? RelayPassword(parsing: text) else { throw .badPassword(path) }
        guard text.count >= leastPasswordLength else { throw .shortPassword(path, leastPasswordLength) }
        return password
    }

    /// Settings of a text.
    ///
    /// - Throws: `SettingsError`.
    package static func parse(_ text: String, file: String) throws(SettingsError) -> Settings {
        if let fault = SettingsShape.fault(in: text) { throw .malformed(file: file, line: fault.line, fault.reason) }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw .malformed(file: file, line: error.source.begin.line, error.description)
        } catch {
            throw .malformed(file: file, line: 1, "\(error)")
        }
        var reader = Reader(file: file)
        for key in table.keys.sorted() {
            guard let value = table[key] else { continue }
            try reader.set(key, value)
        }
        do throws(SettingsError) {
            let settings = try reader.result()
            try settings.check()
            return settings
        } catch {
            throw .inFile(file, error)
        }
    }

    private static func text(of path: String) throws(SettingsError) -> String {
        guard let file = fopen(path, "re") else { throw .unreadable(path, String(cString: strerror(errno))) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { throw .unreadable(path, String(cString: strerror(errno))) }
        guard count < bytes.count else { throw .unreadable(path, "it is too long") }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

/// Takes one key after the other.
private struct Reader {
    let file: String
    private var settings = Settings()
    private var folder: String?
    private var isInMemory = false

    init(file: String) { self.file = file }

    mutating func set(_ key: String, _ value: any TOMLValueConvertible) throws(SettingsError) {
        switch key {
        case "listen": settings.listen = try addresses(key, value)
        case "host": settings.host = try string(key, value)
        case "certificates": settings.certificates = try string(key, value)
        case "state": folder = try string(key, value)
        case "in-memory": isInMemory = try flag(key, value)
        case "versions":
            let range = VersionsOption(argument: try string(key, value))?.range
            settings.versions = try require(range, key, "a range within \"9-17\"")
        case "create-password": settings.createPassword = try string(key, value)
        case "no-create": settings.allowsCreation = try !flag(key, value)
        case "quota": settings.quota = try number(key, value)
        case "message-ttl": settings.messageTTL = try number(key, value)
        case "expiry-interval": settings.expiryInterval = try number(key, value)
        case "idle-timeout": settings.idleTimeout = try number(key, value)
        case "max-connections": settings.maxConnections = try number(key, value)
        case "max-connections-per-address": settings.maxConnectionsPerAddress = try number(key, value)
        case "memory": settings.memory = try number(key, value)
        case "max-stored": settings.maxStored = try number(key, value)
        case "max-stored-per-address": settings.maxStoredPerAddress = try number(key, value)
        case "max-queues-per-address": settings.maxQueuesPerAddress = try number(key, value)
        case "proxy": settings.proxy = try flag(key, value)
        case "proxy-local": settings.proxyLocal = try flag(key, value)
        case "stun":
            let text = if let port = value.int { "\(port)" } else { try string(key, value) }
            settings.stun = try require(StunOption(argument: text), key, "a port or \"off\"")
        case "metrics": settings.metrics = try address(key, string(key, value))
        case "log-level":
            let names = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
            settings.logLevel = try require(LogLevel(rawValue: try string(key, value)), key, "one of \(names)")
        default: throw .unknownKey(file: file, key)
        }
    }

    func result() throws(SettingsError) -> Settings {
        guard !(isInMemory && folder != nil) else { throw .memoryAndState }
        var settings = settings
        settings.queues = isInMemory ? .memory : folder.map { .folder($0) }
        return settings
    }

    private func addresses(_ key: String, _ value: any TOMLValueConvertible) throws(SettingsError) -> [ListenAddress] {
        if let text = value.string { return [try address(key, text)] }
        guard let array = value.array else { throw mismatch(key, "a string or an array of strings", value) }
        var result: [ListenAddress] = []
        for item in array {
            guard let text = item.string else { throw mismatch(key, "an array of strings", item) }
            result.append(try address(key, text))
        }
        return result
    }

    private func address(_ key: String, _ text: String) throws(SettingsError) -> ListenAddress {
        try require(ListenAddress(argument: text), key, "an address with a port, such as \"[::]:5223\"")
    }

    private func string(_ key: String, _ value: any TOMLValueConvertible) throws(SettingsError) -> String {
        guard let string = value.string else { throw mismatch(key, "a string", value) }
        return string
    }

    private func number(_ key: String, _ value: any TOMLValueConvertible) throws(SettingsError) -> Int {
        guard let number = value.int else { throw mismatch(key, "a whole number", value) }
        return number
    }

    private func flag(_ key: String, _ value: any TOMLValueConvertible) throws(SettingsError) -> Bool {
        guard let flag = value.bool else { throw mismatch(key, "true or false", value) }
        return flag
    }

    private func require<Value>(_ value: Value?, _ key: String, _ wanted: String) throws(SettingsError) -> Value {
        guard let value else { throw .wrongValue(file: file, key, wanted: wanted) }
        return value
    }

    private func mismatch(_ key: String, _ wanted: String, _ value: any TOMLValueConvertible) -> SettingsError {
        let found =
            switch value.type {
            case .bool: "true or false"
            case .int: "a whole number"
            case .double: "a fraction"
            case .array: "an array"
            case .table: "a table"
            case .string: "a string"
            case .date, .time, .dateTime: "a date"
            }
        return .wrongType(file: file, key, wanted: wanted, found: found)
    }
}
