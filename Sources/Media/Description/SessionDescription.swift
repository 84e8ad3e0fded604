/// Bounds on a peer's session description.
enum SessionDescriptionLimits {
    /// An offer of a browser with four m-lines has about 10,000 bytes.
    static let bytes = 64 * 1_024
    static let lines = 2_000
    static let midLength = 32
}

/// A session description (RFC 8866) as we read it: lines, and the attributes that decide about a call.
///
/// Reading it contacts nothing: candidates in it are data.
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

        /// The payload type of the first format with this codec and clock, as `a=rtpmap` names it.
        func payloadType(codec: String) -> Int? {
            for attribute in attributes where attribute.name == "rtpmap" {
                let parts = attribute.value.split(separator: " ", maxSplits: 1)
                guard parts.count == 2, let number = Int(parts[0]), (0...127).contains(number),
                    formats.contains(String(parts[0])), parts[1].lowercased().hasPrefix(codec.lowercased() + "/")
                else { continue }
                return number
            }
            return nil
        }

        /// The id that `a=extmap` gives to a header extension.
        func extensionID(uri: String) -> Int? {
            for attribute in attributes where attribute.name == "extmap" {
                let parts = attribute.value.split(separator: " ")
                guard parts.count >= 2, parts[1] == uri, let id = Int(parts[0].prefix { $0 != "/" }),
                    (1...14).contains(id)
                else { continue }
                return id
            }
            return nil
        }
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
        guard text.utf8.count <= SessionDescriptionLimits.bytes else { throw .tooLarge }
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        guard lines.count <= SessionDescriptionLimits.lines else { throw .tooLarge }
        guard lines.first == "v=0" else { throw .notASessionDescription }
        for (index, line) in lines.enumerated() where !line.isEmpty {
            guard line.utf8.count >= 2, line.utf8.first.map({ (0x61...0x7A).contains($0) }) == true,
                line.dropFirst().first == "=", line.utf8.allSatisfy({ $0 != 0 })
            else { throw .malformedLine(index + 1) }
            let value = line.dropFirst(2)
            // RFC 8866 §5 allows no blank there. GStreamer passes over it: a candidate behind one would be a candidate for
            // GStreamer and something else here.
            if line.first == "a" || line.first == "m", value.utf8.first.map({ $0 <= 0x20 }) ?? false {
                throw .malformedLine(index + 1)
            }
            switch line.first {
            case "m": media.append(try Self.medium(value, line: index + 1))
            case "a": add(Self.attribute(value))
            default: break
            }
        }
    }

    private mutating func add(_ attribute: Attribute) {
        if media.isEmpty {
            sessionAttributes.append(attribute)
        } else {
            media[media.count - 1].attributes.append(attribute)
        }
    }

    private static func attribute(_ text: Substring) -> Attribute {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return Attribute(name: String(parts.first ?? ""), value: parts.count > 1 ? String(parts[1]) : "")
    }

    private static func medium(_ text: Substring, line: Int) throws(DescriptionError) -> Medium {
        let fields = text.split(separator: " ")
        guard fields.count >= 4, let port = Int(fields[1].prefix { $0 != "/" }), (0...65_535).contains(port) else {
            throw .malformedLine(line)
        }
        return Medium(
            kind: String(fields[0]), port: port, transport: String(fields[2]), formats: fields[3...].map(String.init))
    }

    /// The value an m-line has for an attribute, its own or else the session's.
    func value(of name: String, media index: Int) -> String? {
        guard media.indices.contains(index) else { return nil }
        return media[index][name] ?? sessionAttributes.first { $0.name == name }?.value
    }

    /// The mids in order; empty text for an m-line without one.
    var mids: [String] { media.map { $0.mid ?? "" } }
}
