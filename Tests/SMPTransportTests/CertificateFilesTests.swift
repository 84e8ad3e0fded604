import Cryptography
import Foundation
import Testing

@testable import SMPSession
@testable import SMPTransport

@Suite(.timeLimit(.minutes(5))) struct CertificateFilesTests {
    /// A folder of its own for each test, removed afterwards.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    @Test func `the identity outlives restarts`() throws {
        try withFolder { folder in
            let first = try RelayCertificates.loadOrMake(in: folder + "/state", host: "h")
            let second = try RelayCertificates.loadOrMake(in: folder + "/state", host: "h")
            #expect(first.fingerprint == second.fingerprint)
            #expect(first.chain == second.chain)
            #expect(first.serverKey == second.serverKey)
            #expect(first.authorityKey == second.authorityKey)
        }
    }

    @Test(arguments: ["ca.key", "server.key"])
    func `keys belong to their owner only`(file: String) throws {
        try withFolder { folder in
            _ = try RelayCertificates.loadOrMake(in: folder, host: "h")
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `the authority key may be taken offline`() throws {
        try withFolder { folder in
            let made = try RelayCertificates.loadOrMake(in: folder, host: "h")
            try FileManager.default.removeItem(atPath: folder + "/ca.key")
            let loaded = try RelayCertificates.loadOrMake(in: folder, host: "h")
            #expect(loaded.authorityKey == nil)
            #expect(loaded.fingerprint == made.fingerprint)
        }
    }

    @Test func `a missing leaf is issued anew under the same identity`() throws {
        try withFolder { folder in
            let made = try RelayCertificates.loadOrMake(in: folder, host: "h")
            try FileManager.default.removeItem(atPath: folder + "/server.crt")
            let again = try RelayCertificates.loadOrMake(in: folder, host: "h")
            #expect(again.fingerprint == made.fingerprint)
            try again.chain.verify(keyHash: made.fingerprint)
        }
    }

    @Test(arguments: ["ca.crt", "server.key"])
    func `an incomplete set is named not replaced`(file: String) throws {
        try withFolder { folder in
            _ = try RelayCertificates.loadOrMake(in: folder, host: "h")
            try FileManager.default.removeItem(atPath: folder + "/" + file)
            let error = #expect(throws: TransportError.self) {
                try RelayCertificates.loadOrMake(in: folder, host: "h")
            }
            #expect(error.map { "\($0)".contains(file) } == true)
        }
    }

    @Test func `a key that does not fit is refused`() throws {
        try withFolder { folder in
            _ = try RelayCertificates.loadOrMake(in: folder, host: "h")
            let other = PEM.encode(.ed25519(.init()))
            try other.write(toFile: folder + "/server.key", atomically: true, encoding: .utf8)
            #expect(throws: TransportError.credentials(.otherKey)) {
                try RelayCertificates.load(from: folder)
            }
        }
    }

    @Test func `rubbish in a file is refused`() throws {
        try withFolder { folder in
            _ = try RelayCertificates.loadOrMake(in: folder, host: "h")
            try "-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n"
                .write(toFile: folder + "/server.crt", atomically: true, encoding: .utf8)
            #expect(throws: TransportError.credentials(.malformed(file: "server.crt"))) {
                try RelayCertificates.load(from: folder)
            }
        }
    }

    @Test func `OpenSSL reads what is written`() throws {
        try withFolder { folder in
            _ = try RelayCertificates.loadOrMake(in: folder, host: "h")
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            process.arguments = [
                "verify", "-CAfile", folder + "/ca.crt", "-purpose", "sslserver", folder + "/server.crt",
            ]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
    }
}
