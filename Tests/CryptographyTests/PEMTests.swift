import Testing

@testable import Cryptography

@Suite(.timeLimit(.minutes(1))) struct PEMTests {
    private static let block = (0..<100).map { UInt8($0) }

    @Test func `a block is read back from lines of 64 characters`() throws {
        let text = PEM.encode(Self.block, as: .certificate)
        #expect(text.split(separator: "\n").map(\.count) == [27, 64, 64, 8, 25])
        #expect(try PEM.decode(.certificate, in: text) == [Self.block])
    }

    @Test func `blocks of another kind and what is between them are passed over`() throws {
        let text = "a\n" + PEM.encode([1], as: .privateKey) + "b\n" + PEM.encode([2], as: .certificate)
        #expect(try PEM.decode(.certificate, in: text) == [[2]])
        #expect(try PEM.decode(.privateKey, in: text) == [[1]])
    }

    @Test func `blanks and ends of lines from elsewhere don't matter`() throws {
        let text = "-----BEGIN CERTIFICATE----- \r\n AQ\t\r\nID \r\n-----END CERTIFICATE-----\t\r\n"
        #expect(try PEM.decode(.certificate, in: text) == [[1, 2, 3]])
    }

    @Test func `a block that is not base64 is refused, unless nobody asks for it`() throws {
        let text = PEM.encode([1], as: .certificate) + "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n"
        #expect(throws: CryptographyError.invalidEncoding) { try PEM.decode(.certificate, in: text) }
        #expect(try PEM.decode(.certificate, in: text, atMost: 1) == [[1]])
    }

    @Test func `a block without an end is none`() throws {
        #expect(try PEM.decode(.certificate, in: "-----BEGIN CERTIFICATE-----\nAQID\n") == [])
    }
}
