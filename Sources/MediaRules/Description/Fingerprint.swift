import Cryptography

/// The SHA-256 of a DTLS certificate, as SDP carries it (RFC 8122 §5).
package struct Fingerprint: Sendable, Equatable {
    package let bytes: [UInt8]

    /// Reads the value of an `a=fingerprint` attribute; nil when its hash function is not SHA-256.
    package init?(attribute: some StringProtocol) throws(DescriptionError) {
        let parts = attribute.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { throw .malformedFingerprint }
        guard parts[0].lowercased() == "sha-256" else { return nil }
        let pairs = parts[1].split(separator: ":", omittingEmptySubsequences: false)
        guard pairs.count == 32 else { throw .malformedFingerprint }
        var bytes: [UInt8] = []
        for pair in pairs {
            guard pair.utf8.count == 2, pair.utf8.allSatisfy(\.isHexadecimalDigit), let byte = UInt8(pair, radix: 16)
            else { throw .malformedFingerprint }
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    /// The fingerprint of a certificate in DER form.
    package init(certificate der: [UInt8]) {
        bytes = Digest.sha256(der)
    }

    /// The fingerprint of the first certificate of a PEM text; nil when there is none.
    package init?(certificatePEM pem: String) {
        guard let der = try? PEM.decode(.certificate, in: pem, atMost: 1).first else { return nil }
        self.init(certificate: der)
    }

    /// The value of an `a=fingerprint` attribute.
    var attribute: String {
        let digits = Array("0123456789ABCDEF")
        return "sha-256 " + bytes.map { String([digits[Int($0 >> 4)], digits[Int($0 & 15)]]) }.joined(separator: ":")
    }

    package static func == (left: Fingerprint, right: Fingerprint) -> Bool {
        constantTimeEqual(left.bytes, right.bytes)
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
