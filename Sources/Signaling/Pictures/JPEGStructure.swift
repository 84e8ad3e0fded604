/// What a JPEG file is made of (ITU-T T.81 Annex B), without decoding it: segments, and between them data that is entropy coded.
struct JPEGStructure {
    /// The size that its frame names.
    private(set) var (width, height) = (0, 0)
    /// The file without application data and comments. A plain JFIF header stays: there are decoders that want one.
    private(set) var bytes: [UInt8]

    static let signature: [UInt8] = [0xFF, 0xD8, 0xFF]
    /// How often a progressive picture may go over its pixels; usual are ten.
    static let maximumScans = 64

    private var scans = 0
    private var components = 0

    init(decoding file: [UInt8]) throws(PictureError) {
        guard file.starts(with: Self.signature) else { throw .malformed }
        bytes = [0xFF, 0xD8]
        var rest = file.dropFirst(2)
        while true {
            let marker = try Self.marker(&rest)
            switch marker {
            case 0xD9:
                guard scans > 0 else { throw .malformed }
                bytes += [0xFF, 0xD9]
                return
            case 0xC0, 0xC1, 0xC2: keep(marker, try frame(&rest))
            // Huffman and quantisation tables, the restart interval.
            case 0xC4, 0xDB, 0xDD: keep(marker, try Self.segment(&rest))
            case 0xDA:
                try beginScan()
                keep(marker, try Self.segment(&rest))
                bytes += Self.entropyCoded(&rest)
            case 0xE0:
                let segment = try Self.segment(&rest)
                if bytes.count == 2, Self.isPlainHeader(segment) { keep(marker, segment) }
            case 0xE1...0xEF, 0xFE: _ = try Self.segment(&rest)
            default: throw .unsupported
            }
        }
    }

    private mutating func keep(_ marker: UInt8, _ segment: ArraySlice<UInt8>) { bytes += [0xFF, marker] + segment }

    private mutating func beginScan() throws(PictureError) {
        guard components > 0 else { throw .malformed }
        scans += 1
        guard scans <= Self.maximumScans else { throw .unsupported }
    }

    /// A frame header (§B.2.2): precision, lines, samples a line, and three bytes a component.
    private mutating func frame(_ rest: inout ArraySlice<UInt8>) throws(PictureError) -> ArraySlice<UInt8> {
        let segment = try Self.segment(&rest)
        let fields = Array(segment.dropFirst(2))
        guard components == 0, fields.count >= 6 else { throw .malformed }
        guard fields[0] == 8, fields[5] == 1 || fields[5] == 3 else { throw .unsupported }
        components = Int(fields[5])
        guard fields.count == 6 + 3 * components else { throw .malformed }
        height = Int(fields[1]) << 8 | Int(fields[2])
        width = Int(fields[3]) << 8 | Int(fields[4])
        guard ProfilePicture.fits(width, height) else { throw .size(width, height) }
        for component in 0..<components {
            let factors = fields[7 + 3 * component]
            guard (1...4).contains(factors >> 4), (1...4).contains(factors & 15) else { throw .malformed }
        }
        return segment
    }

    /// The next marker; before it there may be any number of fill bytes (§B.1.1.2).
    private static func marker(_ rest: inout ArraySlice<UInt8>) throws(PictureError) -> UInt8 {
        guard rest.popFirst() == 0xFF else { throw .malformed }
        while let byte = rest.popFirst() {
            if byte != 0xFF { return byte }
        }
        throw .malformed
    }

    /// A segment with its length in front, which counts itself (§B.1.1.4).
    private static func segment(_ rest: inout ArraySlice<UInt8>) throws(PictureError) -> ArraySlice<UInt8> {
        let head = Array(rest.prefix(2))
        guard head.count == 2 else { throw .malformed }
        let count = Int(head[0]) << 8 | Int(head[1])
        guard count >= 2, count <= rest.count else { throw .malformed }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// The data of a scan, up to the next marker that is not one of those inside (§B.1.1.5).
    private static func entropyCoded(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = rest.startIndex
        while end < rest.endIndex {
            if rest[end] == 0xFF {
                guard end + 1 < rest.endIndex else { break }
                let next = rest[end + 1]
                guard next == 0 || (0xD0...0xD7).contains(next) else { break }
                end += 1
            }
            end += 1
        }
        defer { rest = rest[end...] }
        return rest[..<end]
    }

    /// JFIF 1 without a thumbnail (ITU-T T.871 §10.1).
    private static func isPlainHeader(_ segment: ArraySlice<UInt8>) -> Bool {
        segment.count == 16 && segment.dropFirst(2).starts(with: Array("JFIF\0".utf8))
            && segment.suffix(2).elementsEqual([0, 0])
    }
}
