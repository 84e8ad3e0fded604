import Cryptography
import Foundation

/// What the profile's folder says of the place of its store's key: the file `key.json`.
struct StoreKeyRecord: Codable, Equatable, Sendable {
    static let fileName = "key.json"
    private static let newest = 1

    private var version = Self.newest
    var place: StoreKeyPlace
    /// The name of the key in the keyring; kept for good, so that a repeated move replaces what an interrupted one left.
    var name = Base64URL.encode(randomBytes(16), padded: false)
    /// Whether nobody chose the place.
    var isMakeshift = false
    /// Whether the keyring may hold the key that has left it.
    var isLeftInKeyring: Bool?
    /// The key itself, where a passphrase guards it.
    var sealedKey: SealedStoreKey?

    init(place: StoreKeyPlace, isMakeshift: Bool = false) {
        self.place = place
        self.isMakeshift = isMakeshift
    }

    /// Reads the record of a profile; nil when it has none.
    /// - Throws: `AccountError.store`.
    static func read(in directory: ProfileDirectory) throws(AccountError) -> StoreKeyRecord? {
        guard let data = FileManager.default.contents(atPath: directory.file(fileName)) else { return nil }
        struct Version: Decodable { var version: Int }
        let record: StoreKeyRecord
        do {
            let version = try JSONDecoder().decode(Version.self, from: data).version
            guard version <= newest else {
                throw AccountError.store(.newerKeyRecord)
            }
            record = try JSONDecoder().decode(StoreKeyRecord.self, from: data)
        } catch let error as AccountError {
            throw error
        } catch {
            throw .store(.keyRecordDamaged(fileName))
        }
        guard record.place != .passphrase || record.sealedKey != nil else {
            throw .store(.keyRecordDamaged(fileName))
        }
        return record
    }

    /// Writes the record; it is on disk when this returns.
    /// - Throws: `AccountError.folder`.
    func write(in directory: ProfileDirectory) throws(AccountError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        do {
            try DurableFile.write([UInt8](try encoder.encode(self)), to: directory.file(Self.fileName))
        } catch {
            throw .folder(directory.path)
        }
    }
}
