import Foundation
import SMP

/// What became of a profile's settings that can't be read; they begin anew.
public enum SettingsLoss: Sendable, Equatable {
    /// There was nothing in the file.
    case empty
    /// The file was damaged, and has been put aside. (its name now)
    case damaged(aside: String)
}

/// What a profile remembers from one start to the next and the agent does not: its name and its relays.
///
/// Kept apart from the sealed store, because the agent needs the relays before it can open; nothing in it is secret.
struct StoredSettings {
    private struct Content: Codable {
        var displayName: String?
        var relays: [String] = []
        var privateRouting: PrivateRoutingMode?
        var devices: DeviceChoices?
        var ring: RingChoices?
        var isBusy: Bool?
        var isOpenToNetwork: Bool?
        var opensPort: Bool?
        var takesGroups: Bool?
    }

    static let fileName = "settings.json"

    private let file: String
    private let fallbackName: String
    private var content: Content
    /// What became of settings that can't be read; nil when there are none such.
    private(set) var loss: SettingsLoss?

    /// Reads what is remembered. A file that is empty or damaged counts as none, with a loss to tell of.
    /// - Throws: `AccountError.folder` when there is a file and it can't be read or left aside.
    init(_ directory: ProfileDirectory) throws(AccountError) {
        file = directory.file(Self.fileName)
        fallbackName = URL(fileURLWithPath: directory.path).lastPathComponent
        content = Content()
        do {
            guard let bytes = try DurableFile.read(file) else { return }
            if let known = Self.decoded(bytes) {
                content = known
                return
            }
            if !bytes.isEmpty { try DurableFile.write(bytes, to: file + ".damaged") }
            try DurableFile.write([UInt8](try JSONEncoder().encode(content)), to: file)
            loss = bytes.isEmpty ? .empty : .damaged(aside: Self.fileName + ".damaged")
        } catch {
            throw .folder(file)
        }
    }

    /// The relays that are remembered, as they are written; nil when the file is empty or damaged. Nothing is written.
    /// - Throws: `AccountError.folder` when there is a file and it can't be read.
    static func relaysAsKept(in directory: ProfileDirectory) throws(AccountError) -> [String]? {
        let file = directory.file(fileName)
        do {
            guard let bytes = try DurableFile.read(file) else { return [] }
            return decoded(bytes)?.relays
        } catch {
            throw .folder(file)
        }
    }

    private static func decoded(_ bytes: [UInt8]) -> Content? {
        try? JSONDecoder().decode(Content.self, from: Data(bytes))
    }

    /// The relays asked for, which are remembered from now on, or the remembered ones, or the embedded one.
    mutating func relays(
        _ wanted: AccountConfiguration.Relays, embedded: RelayAddress? = nil
    ) throws(AccountError) -> [RelayAddress] {
        var texts = content.relays
        if case .external(let named) = wanted, !named.isEmpty { texts = named }
        let addresses = try Self.addresses(texts)
        if texts != content.relays { try keep { $0.relays = texts } }
        return addresses.isEmpty ? embedded.map { [$0] } ?? [] : addresses
    }

    /// The relays that are remembered; none means the embedded one.
    func keptRelays() throws(AccountError) -> [RelayAddress] { try Self.addresses(content.relays) }

    /// Remembers these relays; none means the embedded one.
    mutating func remember(_ relays: [RelayAddress]) throws(AccountError) {
        try keep { $0.relays = relays.map(\.text) }
    }

    private static func addresses(_ texts: [String]) throws(AccountError) -> [RelayAddress] {
        try texts.map { text throws(AccountError) in
            do {
                return try RelayAddress(parsing: text)
            } catch {
                throw .relayAddress(text)
            }
        }
    }

    /// The name asked for, which is remembered from now on, or the remembered one, or the folder's.
    mutating func displayName(_ wanted: String?) throws(AccountError) -> String {
        guard let wanted, !wanted.isEmpty else { return content.displayName ?? fallbackName }
        if wanted != content.displayName { try keep { $0.displayName = wanted } }
        return wanted
    }

    /// The name that is remembered, or the folder's.
    var displayName: String { content.displayName ?? fallbackName }

    /// Remembers the name.
    mutating func remember(displayName: String) throws(AccountError) { try keep { $0.displayName = displayName } }

    /// The routing asked for, which is remembered from now on, or the remembered one: forgetting it would tell relays what
    /// they were not to see.
    mutating func privateRouting(_ wanted: PrivateRoutingMode?) throws(AccountError) -> PrivateRoutingMode? {
        guard let wanted else { return content.privateRouting }
        if wanted != content.privateRouting { try keep { $0.privateRouting = wanted } }
        return wanted
    }

    /// The person's devices.
    var devices: DeviceChoices { content.devices ?? DeviceChoices() }

    /// Remembers the person's devices.
    mutating func remember(_ devices: DeviceChoices) throws(AccountError) { try keep { $0.devices = devices } }

    /// How calls ring.
    var ring: RingChoices { content.ring ?? RingChoices() }

    /// Remembers how calls ring.
    mutating func remember(_ ring: RingChoices) throws(AccountError) { try keep { $0.ring = ring } }

    /// Whether the person takes no calls; nil when that was never chosen.
    var isBusy: Bool? { content.isBusy }

    /// Remembers whether the person takes no calls.
    mutating func remember(isBusy: Bool) throws(AccountError) { try keep { $0.isBusy = isBusy } }

    /// Whether others in this network are to reach the relay inside the program.
    var isOpenToNetwork: Bool { content.isOpenToNetwork ?? false }

    /// Remembers whether they are.
    mutating func rememberOpenness(_ isOpen: Bool) throws(AccountError) { try keep { $0.isOpenToNetwork = isOpen } }

    /// Whether the router is asked to forward the port of the relay inside the program.
    var opensPort: Bool { content.opensPort ?? false }

    /// Remembers whether it is.
    mutating func rememberPort(opens: Bool) throws(AccountError) { try keep { $0.opensPort = opens } }

    /// Whether calls of several are made and taken: as asked for, which is remembered from now on, or as remembered.
    mutating func takesGroups(_ wanted: Bool?) throws(AccountError) -> Bool {
        guard let wanted else { return content.takesGroups ?? true }
        if wanted != content.takesGroups ?? true { try keep { $0.takesGroups = wanted } }
        return wanted
    }

    /// Remembers whether calls of several are made and taken.
    mutating func remember(takesGroups: Bool) throws(AccountError) { try keep { $0.takesGroups = takesGroups } }

    private mutating func keep(_ change: (inout Content) -> Void) throws(AccountError) {
        var changed = content
        change(&changed)
        content = changed
        do {
            try DurableFile.write([UInt8](try JSONEncoder().encode(changed)), to: file)
        } catch {
            throw .folder(file)
        }
    }
}
