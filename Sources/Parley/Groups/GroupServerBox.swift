import BaseKit
import Foundation
import SFURules
import Signaling

/// The present ``GroupServer``, for whoever begins a call of several.
final class GroupServerBox: Sendable {
    private let content = Lock<GroupServer?>(nil)

    var value: GroupServer? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}

extension GroupServer {
    /// The most bytes of a key, a token or a secret: more than fits into a request is of no use.
    static let longestKey = 1_024

    /// As it lies in the store.
    private struct Kept: Codable {
        var address: String
        var roomKey: String?
        var token: String?
        var tokenSecret: String?
        var isAlwaysUsed: Bool?
    }

    /// Reads what ``encoded()`` wrote.
    /// - Throws: `AccountError.store`.
    init(decoding bytes: [UInt8]) throws(AccountError) {
        do {
            let kept = try JSONDecoder().decode(Kept.self, from: Data(bytes))
            self.init(
                address: try SFUAddress(parsing: kept.address),
                keys: SFUKeys(
                    roomKey: kept.roomKey.map(SecretText.init), token: kept.token.map(SecretText.init),
                    tokenSecret: kept.tokenSecret.map(SecretText.init)),
                isAlwaysUsed: kept.isAlwaysUsed ?? false)
        } catch {
            throw .store(.groupServerDamaged)
        }
    }

    /// - Throws: `AccountError.store`.
    func encoded() throws(AccountError) -> [UInt8] {
        let kept = Kept(
            address: address.text, roomKey: keys.roomKey?.text, token: keys.token?.text,
            tokenSecret: keys.tokenSecret?.text, isAlwaysUsed: isAlwaysUsed)
        do {
            return [UInt8](try JSONEncoder().encode(kept))
        } catch {
            throw .store(.groupServerNotKept)
        }
    }

    /// - Throws: `AccountError.textTooLong`.
    func check() throws(AccountError) {
        let texts = [keys.roomKey, keys.token, keys.tokenSecret].compactMap { $0 }
        guard texts.allSatisfy({ $0.text.utf8.count <= Self.longestKey }) else { throw .textTooLong(Self.longestKey) }
    }
}
