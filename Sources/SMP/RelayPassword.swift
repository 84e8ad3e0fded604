/// The password a relay may ask for before it makes queues or forwards commands; printable ASCII.
public struct RelayPassword: Hashable, Sendable {
    /// The password itself.
    public let text: String

    /// - Throws: `SMPDecodingError.invalid` for an empty or long password, or one with blanks, `@`, `:` or `/`.
    public init(parsing text: String) throws {
        let forbidden = "@:/".utf8
        guard (1...255).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !forbidden.contains($0) })
        else { throw SMPDecodingError.invalid("relay password") }
        self.text = text
    }
}

extension RelayPassword: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "RelayPassword" }
    public var debugDescription: String { description }
}

extension ByteReader {
    mutating func password() throws -> RelayPassword { try RelayPassword(parsing: text()) }
}

extension ByteWriter {
    mutating func password(_ password: RelayPassword) throws { try text(password.text) }
}
