import Cryptography
import SMP

/// Both parts of short-link data, read and checked.
package struct ShortLinkData: Hashable, Sendable {
    package let fixed: LinkFixedData
    package let user: LinkUserData

    package init(fixed: LinkFixedData, user: LinkUserData) {
        self.fixed = fixed
        self.user = user
    }

    /// The key the link carries: SHA3-256 of the fixed data.
    package func linkKey() throws -> [UInt8] { Digest.sha3_256(try fixed.encoded()) }

    /// Signs and seals both parts.
    ///
    /// - Throws: `ShortLinkError.malformed` when a part does not fit.
    package func sealed(rootKey: Ed25519.PrivateKey) throws(ShortLinkError) -> LinkData {
        do {
            let linkKey = try linkKey()
            let dataKey =
                fixed.link.kind == .contact
                ? ShortLinkKeys.contact(linkKey: linkKey).dataKey : ShortLinkKeys.invitation(linkKey: linkKey)
            return LinkData(
                fixed: try LinkBlob.seal(
                    fixed.encoded(), rootKey: rootKey, dataKey: dataKey, paddedTo: LinkBlob.fixedCount),
                user: try LinkBlob.seal(
                    user.encoded(), rootKey: rootKey, dataKey: dataKey, paddedTo: LinkBlob.userCount))
        } catch {
            throw .malformed
        }
    }

    /// Opens what a relay keeps for a link and checks that it belongs to the link (Agent fact sheet §2.3).
    ///
    /// - Parameters:
    ///   - sealed: both parts from the relay.
    ///   - link: the short link, with the key.
    ///   - address: the relay that was asked, with the sender id of its answer.
    /// - Throws: `ShortLinkError`.
    package init(
        opening sealed: LinkData, link: ShortLink, at address: QueueAddress
    ) throws(ShortLinkError) {
        let dataKey = link.dataKey
        let signedFixed = try LinkBlob.open(sealed.fixed, dataKey: dataKey)
        let signedUser = try LinkBlob.open(sealed.user, dataKey: dataKey)
        guard constantTimeEqual(Digest.sha3_256(signedFixed.data), link.linkKey) else { throw .wrongLinkKey }
        do {
            fixed = try LinkFixedData(decoding: signedFixed.data)
            user = try LinkUserData(decoding: signedUser.data)
        } catch {
            throw error == .unsupportedLinkData ? .unsupported : .malformed
        }
        guard signedFixed.isSigned(by: fixed.rootKey) else { throw .invalidSignature }
        try Self.check(fixed.link, isFor: link, user: user)
        guard Self.signers(of: user, rootKey: fixed.rootKey).contains(where: { signedUser.isSigned(by: $0) }) else {
            throw .invalidSignature
        }
        guard fixed.link.queue.address.isSameQueue(as: address) else { throw .wrongQueue }
    }

    private static func check(
        _ full: ConnectionLink, isFor link: ShortLink, user: LinkUserData
    ) throws(ShortLinkError) {
        var isInvitation = false
        if case .invitation = link.kind { isInvitation = true }
        var hasInvitationData = false
        if case .invitation = user { hasInvitationData = true }
        guard isInvitation == (full.kind != .contact), isInvitation == hasInvitationData else { throw .malformed }
    }

    private static func signers(of user: LinkUserData, rootKey: Ed25519.PublicKey) -> [Ed25519.PublicKey] {
        guard case .contact(_, _, let owners, _) = user else { return [rootKey] }
        return [rootKey] + LinkOwner.valid(owners, rootKey: rootKey).map(\.key)
    }
}
