import Glibc

/// An address of IPv4.
package struct IPv4Address: Hashable, Sendable, CustomStringConvertible {
    /// Its four bytes, in network order.
    let bytes: [UInt8]

    /// Nil unless there are four bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 4 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads `192.0.2.1`, and no other form of it.
    package init?(parsing text: String) {
        var address = in_addr()
        guard text.utf8.count <= 15, inet_pton(AF_INET, text, &address) == 1 else { return nil }
        bytes = withUnsafeBytes(of: address) { Array($0) }
    }

    /// Such as `192.0.2.1`.
    package var description: String { bytes.map(String.init).joined(separator: ".") }

    static let unspecified = IPv4Address(bytes: [0, 0, 0, 0])

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Whether it is no address at all.
    var isUnspecified: Bool { bytes == [0, 0, 0, 0] }

    /// Whether it is an address, and none of the whole Internet's.
    var isOfPrivateNetwork: Bool { !isUnspecified && !isPublic }

    /// Whether it can be one of the whole Internet's. Others are of a private network, of a provider's own (RFC 6598), of one link or machine,
    /// for protocols, for measuring or for groups (RFC 6890 §2.2.2).
    var isPublic: Bool {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (169, 254, _), (192, 168, _): false
        case (100, 64...127, _), (172, 16...31, _), (192, 0, 0), (198, 18...19, _): false
        case (224..., _, _): false
        default: true
        }
    }
}
