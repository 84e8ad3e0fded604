/// What two people's programs say to each other in the local network before they are contacts, byte by byte.
///
/// A message is its kind and what belongs to it; a frame is two bytes of length and a message. Everything is read in bounds.
enum PairingMessage: Equatable, Sendable {
    /// Who begins: a hash of the key that is told later, and a name.
    case hello(commitment: [UInt8], name: String)
    /// Who is asked: a key and a name.
    case answer(key: [UInt8], name: String)
    /// The key whose hash was told.
    case reveal(key: [UInt8])
    /// What only the two can read.
    case sealed([UInt8])
    /// The other one does not go on.
    case refusal

    static let version: UInt8 = 1
    static let keyCount = 32
    /// Bytes of a name at most.
    static let maximumName = 128
    /// Bytes of a message at most; links are far shorter.
    static let maximumCount = 4_096

    private enum Kind: UInt8 {
        case hello = 1
        case answer, reveal, sealed, refusal
    }

    /// Nil for what is no such message.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count <= Self.maximumCount, let kind = bytes.first.flatMap(Kind.init(rawValue:)) else { return nil }
        let rest = Array(bytes.dropFirst())
        switch kind {
        case .hello:
            guard rest.first == Self.version, let (hash, name) = Self.keyAndName(Array(rest.dropFirst())) else {
                return nil
            }
            self = .hello(commitment: hash, name: name)
        case .answer:
            guard let (key, name) = Self.keyAndName(rest) else { return nil }
            self = .answer(key: key, name: name)
        case .reveal:
            guard rest.count == Self.keyCount else { return nil }
            self = .reveal(key: rest)
        case .sealed: self = .sealed(rest)
        case .refusal: self = .refusal
        }
    }

    func encoded() -> [UInt8] {
        switch self {
        case .hello(let commitment, let name): [Kind.hello.rawValue, Self.version] + commitment + Self.bytes(name)
        case .answer(let key, let name): [Kind.answer.rawValue] + key + Self.bytes(name)
        case .reveal(let key): [Kind.reveal.rawValue] + key
        case .sealed(let content): [Kind.sealed.rawValue] + content
        case .refusal: [Kind.refusal.rawValue]
        }
    }

    private static func keyAndName(_ bytes: [UInt8]) -> ([UInt8], String)? {
        guard bytes.count > keyCount, bytes.count <= keyCount + maximumName,
            let name = String(validating: bytes[keyCount...], as: UTF8.self)
        else { return nil }
        return (Array(bytes[..<keyCount]), name)
    }

    private static func bytes(_ name: String) -> [UInt8] {
        var short = name.isEmpty ? "?" : name
        while short.utf8.count > maximumName { short.removeLast() }
        return short.isEmpty ? [UInt8(ascii: "?")] : Array(short.utf8)
    }
}

/// What stands in a sealed message.
enum PairingContent: Equatable, Sendable {
    /// The person has found the codes equal.
    case confirmed
    /// The link by which the other one becomes a contact.
    case link(String)
    /// The link is opened, and the connection is on disk.
    case opened

    init?(decoding bytes: [UInt8]) {
        switch (bytes.first, bytes.count) {
        case (1, 1): self = .confirmed
        case (2, 2...):
            guard let text = String(validating: bytes.dropFirst(), as: UTF8.self) else { return nil }
            self = .link(text)
        case (3, 1): self = .opened
        default: return nil
        }
    }

    func encoded() -> [UInt8] {
        switch self {
        case .confirmed: [1]
        case .link(let text): [2] + Array(text.utf8)
        case .opened: [3]
        }
    }
}
