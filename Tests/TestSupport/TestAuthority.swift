import Foundation

/// A certificate authority made by a test, and server certificates that it vouches for.
public struct TestAuthority: Sendable {
    /// What went wrong with OpenSSL's program.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// A server's certificate with the authority's behind it, and its private key.
    public struct Server: Sendable {
        public let certificate: String
        public let key: String
    }

    private let folder: String
    /// The path of the authority's certificate.
    public let certificate: String
    private var key: String { folder + "/authority.key" }

    /// Makes an authority in a folder.
    public init(_ folder: String) throws {
        self.folder = folder
        certificate = folder + "/authority.pem"
        try Self.openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
            folder + "/authority.key", "-out", certificate, "-subj", "/CN=Parley test authority", "-days", "2",
        ])
    }

    /// Makes a certificate for names such as `DNS:turn.example.org` or `IP:127.0.0.1`. One that has run out is good from the
    /// day before yesterday to yesterday.
    public func issue(_ names: [String], hasRunOut: Bool = false) throws -> Server {
        let name = folder + "/" + UUID().uuidString
        let server = Server(certificate: name + ".pem", key: name + ".key")
        try Self.openssl([
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", server.key, "-out",
            name + ".csr", "-subj", "/CN=server",
        ])
        let extensions = "subjectAltName=" + names.joined(separator: ",") + "\n"
        try Data(extensions.utf8).write(to: URL(fileURLWithPath: name + ".ext"))
        if hasRunOut {
            try issueLate(name, to: server.certificate)
        } else {
            try Self.openssl([
                "x509", "-req", "-in", name + ".csr", "-CA", certificate, "-CAkey", key, "-CAcreateserial", "-extfile",
                name + ".ext", "-out", server.certificate, "-days", "2",
            ])
        }
        return server
    }

    /// `openssl x509` of 3.5 makes no certificate that has run out, that of 3.0 takes no dates.
    private func issueLate(_ name: String, to path: String) throws {
        let settings = """
            [ca]
            default_ca = late
            [late]
            database = \(name).index
            new_certs_dir = \(folder)
            rand_serial = yes
            default_md = sha256
            policy = names
            [names]
            commonName = supplied

            """
        try Data(settings.utf8).write(to: URL(fileURLWithPath: name + ".ca"))
        try Data().write(to: URL(fileURLWithPath: name + ".index"))
        let day = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day().dateSeparator(.omitted)
        let dates = [2.0, 1].map { Date(timeIntervalSinceNow: -$0 * 86_400).formatted(day) + "000000Z" }
        try Self.openssl([
            "ca", "-batch", "-notext", "-config", name + ".ca", "-cert", certificate, "-keyfile", key, "-in",
            name + ".csr",
            "-extfile", name + ".ext", "-out", path, "-startdate", dates[0], "-enddate", dates[1],
        ])
    }

    private static func openssl(_ arguments: [String]) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: String(decoding: text, as: UTF8.self)) }
    }
}
