import Cryptography
import Glibc
import SMPSession

extension RelayCertificates {
    /// Reads `ca.crt`, `server.crt`, `server.key` and, if it is there, `ca.key` from a folder.
    ///
    /// - Throws: `TransportError.credentials` naming the file that is missing or malformed.
    public static func load(from folder: String) throws(TransportError) -> RelayCertificates {
        let leaf = try PEM.certificates(in: PrivateFile.read(folder + "/server.crt"), file: "server.crt")
        let above = try PEM.certificates(in: PrivateFile.read(folder + "/ca.crt"), file: "ca.crt")
        guard let first = leaf.first else { throw .credentials(.noCertificate(file: "server.crt")) }
        let key = try PEM.privateKey(in: PrivateFile.read(folder + "/server.key"), file: "server.key")
        let authorityKey: AuthenticationPrivateKey? =
            PrivateFile.exists(folder + "/ca.key")
            ? try PEM.privateKey(in: PrivateFile.read(folder + "/ca.key"), file: "ca.key") : nil
        return try RelayCertificates(
            chain: CertificateChain(certificates: [first] + above), serverKey: key, authorityKey: authorityKey)
    }

    /// Writes the four files; keys can be read by their owner only. The folder is made if it is missing.
    ///
    /// - Throws: `TransportError.credentials` naming the file that can't be written.
    public func save(to folder: String) throws(TransportError) {
        try PrivateFile.makeFolder(folder)
        if let authorityKey {
            try PrivateFile.write(PEM.encode(authorityKey), to: folder + "/ca.key", mode: 0o600)
        }
        try PrivateFile.write(PEM.encode(serverKey), to: folder + "/server.key", mode: 0o600)
        let above = chain.certificates.dropFirst().map { PEM.encode(certificate: $0) }.joined()
        try PrivateFile.write(above, to: folder + "/ca.crt", mode: 0o644)
        // Last, so that an interrupted start finds nothing it takes for complete.
        let leaf = chain.certificates.first.map { PEM.encode(certificate: $0) } ?? ""
        try PrivateFile.write(leaf, to: folder + "/server.crt", mode: 0o644)
    }

    /// Reads the files of a folder, or makes a new identity and writes it there when the folder holds none.
    ///
    /// - Throws: `TransportError.credentials`; an incomplete set of files is not repaired, for that would change the
    ///   relay's address.
    public static func loadOrMake(in folder: String, host: String) throws(TransportError) -> RelayCertificates {
        if PrivateFile.exists(folder + "/server.crt") { return try load(from: folder) }
        let made = try make(host: host)
        if PrivateFile.exists(folder + "/ca.crt"), PrivateFile.exists(folder + "/ca.key"),
            PrivateFile.exists(folder + "/server.key")
        {
            // The first start was interrupted, or the leaf was removed to be issued anew.
            return try reissue(in: folder, host: host)
        }
        guard !PrivateFile.exists(folder + "/ca.crt") else { throw .credentials(.missing(file: "server.crt")) }
        try made.save(to: folder)
        return made
    }

    private static func reissue(in folder: String, host: String) throws(TransportError) -> RelayCertificates {
        let above = try PEM.certificates(in: PrivateFile.read(folder + "/ca.crt"), file: "ca.crt")
        let authorityKey = try PEM.privateKey(in: PrivateFile.read(folder + "/ca.key"), file: "ca.key")
        let serverKey = try PEM.privateKey(in: PrivateFile.read(folder + "/server.key"), file: "server.key")
        guard let identity = above.first, let authority = X509Handle(der: identity) else {
            throw .credentials(.noCertificate(file: "ca.crt"))
        }
        let leaf = try CertificateMaker.leaf(key: serverKey, host: host, issuer: authority, issuerKey: authorityKey)
        let certificates = try RelayCertificates(
            chain: CertificateChain(certificates: [leaf.der] + above), serverKey: serverKey, authorityKey: authorityKey)
        try certificates.save(to: folder)
        return certificates
    }
}
