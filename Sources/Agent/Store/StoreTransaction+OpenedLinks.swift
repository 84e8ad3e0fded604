import Cryptography
import GRDB

// The keys with which one-time links are opened.
extension StoreTransaction {
    private static let table = "openedLink"

    /// The Ed25519 seed for a link, made at the first call and the same from then on.
    func keyOfOpenedLink(_ linkID: [UInt8]) throws -> SecretBytes {
        let name = Self.name(sealer, linkID)
        if let row = try Row.fetchOne(database, sql: "SELECT * FROM openedLink WHERE id = ?", arguments: [name]) {
            return try openRequiredSecret(row, Self.table, "key", row: name)
        }
        let key = Ed25519.PrivateKey().rawRepresentation
        try database.execute(sql: "INSERT INTO openedLink (id) VALUES (?)", arguments: [name])
        try seal(["key": .secret(key)], Self.table, row: name)
        return key
    }

    /// The link is joined.
    func forgetOpenedLink(_ linkID: [UInt8]) throws {
        try database.execute(
            sql: "DELETE FROM openedLink WHERE id = ?", arguments: [Self.name(sealer, linkID)])
    }

    private static func name(_ sealer: Sealer, _ linkID: [UInt8]) -> String {
        Base64URL.encode(sealer.fingerprint(linkID), padded: false)
    }
}
