/// Bounds on a peer's session description.
enum SessionDescriptionLimits {
    /// An offer of a browser with four m-lines has about 10,000 bytes.
    static let bytes = 64 * 1_024
    static let lines = 2_000
    /// Bytes of one line; those of browsers have fewer than 300.
    static let lineLength = 2_048
    static let midLength = 32
    /// Sources of one m-line: one, and one for what it sends again.
    static let sources = 16
}

/// A session description (RFC 8866) as we read it: lines, and the attributes that decide about a call.
///
/// It is read as bytes. Only printable ASCII and line ends pass, so that one character is one byte for whoever reads it next; all
/// that the attributes of a call may hold is ASCII (RFC 8866 §9). Reading it contacts nothing: candidates in it are data.
struct SessionDescription: Sendable, Equatable {
    /// One m-line with its attributes; DTLS and ICE attributes of the session level count for each that has none.
    struct Medium: Sendable, Equatable {
        var kind: String
        var port: Int
        var transport: String
        var formats: [String]
        var attributes: [Attribute] = []

        var mid: String? { self["mid"] }

        /// The value of the first attribute of that name.
        subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

        /// The values of all attributes of that name.
        func values(of name: String) -> [String] { attributes.filter { $0.name == name }.map(\.value) }
    }

    /// `a=name:value` or `a=name`.
    struct Attribute: Sendable, Equatable {
        var name: String
        var value: String
    }

    private(set) var sessionAttributes: [Attribute] = []
    private(set) var media: [Medium] = []

    /// Reads a text with lines that end in CR LF or LF.
    init(parsing text: String) throws(DescriptionError) {
        let text = text.utf8
        guard text.count <= SessionDescriptionLimits.bytes else { throw .tooLarge }
        let lines = text.split(separator: Self.lineFeed, omittingEmptySubsequences: false)
        guard lines.count <= SessionDescriptionLimits.lines else { throw .tooLarge }
        for (index, line) in lines.enumerated() {
            let line = line.last == Self.carriageReturn ? line.dropLast() : line
            if index == 0 {
                guard line.elementsEqual("v=0".utf8) else { throw .notASessionDescription }
            } else if !line.isEmpty {
                try read(line, number: index + 1)
            }
        }
    }

    private static let lineFeed: UInt8 = 0x0A, carriageReturn: UInt8 = 0x0D

    private mutating func read(_ line: Substring.UTF8View, number: Int) throws(DescriptionError) {
        guard line.count <= SessionDescriptionLimits.lineLength, line.allSatisfy({ (0x20...0x7E).contains($0) }),
            let type = line.first, (0x61...0x7A).contains(type), line.dropFirst().first == UInt8(ascii: "=")
        else { throw .malformedLine(number) }
        let value = line.dropFirst(2)
        switch type {
        case UInt8(ascii: "m"), UInt8(ascii: "a"):
            // RFC 8866 §5 allows no blank there, and GStreamer passes over it.
            if value.first == UInt8(ascii: " ") { throw .malformedLine(number) }
            if type == UInt8(ascii: "m") {
                media.append(try Self.medium(value, line: number))
            } else {
                let attribute = Self.attribute(value)
                // A name has one byte at least (RFC 8866 §5.13); GStreamer passes over an empty one at the text's end.
                guard !attribute.name.isEmpty else { throw .malformedLine(number) }
                add(attribute)
            }
        default: break
        }
    }

    private mutating func add(_ attribute: Attribute) {
        if media.isEmpty {
            sessionAttributes.append(attribute)
        } else {
            media[media.count - 1].attributes.append(attribute)
        }
    }

    private static func attribute(_ line: Substring.UTF8View) -> Attribute {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        return Attribute(name: String(Substring(name)), value: String(Substring(line.dropFirst(name.count + 1))))
    }

    private static func medium(_ line: Substring.UTF8View, line number: Int) throws(DescriptionError) -> Medium {
        // One blank between two (RFC 8866 §5.14): of more, other readers make empty fields.
        let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        guard fields.count >= 4, !fields.contains(""), let port = UInt16(digits: fields[1]) else {
            throw .malformedLine(number)
        }
        return Medium(kind: fields[0], port: Int(port), transport: fields[2], formats: Array(fields[3...]))
    }

    /// The value an m-line has for an attribute, its own or else the session's.
    func value(of name: String, media index: Int) -> String? {
        guard media.indices.contains(index) else { return nil }
        return media[index][name] ?? sessionAttributes.first { $0.name == name }?.value
    }

    /// The mids in order; empty text for an m-line without one.
    var mids: [String] { media.map { $0.mid ?? "" } }
}
