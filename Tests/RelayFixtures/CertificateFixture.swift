import Cryptography
import SMPSession

/// Certificates of every kind that clients may meet.
package struct CertificateFixture {
    package let authorityKey = AuthenticationPrivateKey.ed25519(.init())
    package let serverKey = AuthenticationPrivateKey.ed25519(.init())
    package let authority: X509Handle

    package init() throws { authority = try CertificateMaker.authority(key: authorityKey) }

    package func leaf(dates: CertificateMaker.Dates = .init()) throws -> X509Handle {
        try CertificateMaker.leaf(
            key: serverKey, host: "localhost", issuer: authority, issuerKey: authorityKey, dates: dates)
    }

    /// A valid chain of two to any length, identity second.
    package func chain(length: Int) throws -> [[UInt8]] {
        let rootKey = AuthenticationPrivateKey.ed25519(.init())
        var chain = [try CertificateMaker.authority(key: rootKey)]
        var issuerKey = rootKey
        while chain.count < length - 1, let issuer = chain.first {
            let key = chain.count == length - 2 ? authorityKey : AuthenticationPrivateKey.ed25519(.init())
            chain.insert(
                try CertificateMaker.intermediate(
                    key: key, name: "level \(chain.count)", issuer: issuer, issuerKey: issuerKey), at: 0)
            issuerKey = key
        }
        guard let identity = chain.first else { return [] }
        let leaf = try CertificateMaker.leaf(key: serverKey, host: "localhost", issuer: identity, issuerKey: issuerKey)
        return (length == 1 ? [] : [leaf.der]) + chain.map(\.der)
    }
}
