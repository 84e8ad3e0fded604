/// What a PNG file is made of (ISO/IEC 15948 §5), without decoding it: chunks.
struct PNGStructure {
    /// The size that its header names.
    private(set) var (width, height) = (0, 0)
    /// The file with nothing but the chunks that are needed to draw it.
    private(set) var bytes: [UInt8]

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// How far the chunks have come, which have an order (§5.6).
    private enum Stage { case beginning, header, palette, data, afterData }

    init(decoding file: [UInt8]) throws(PictureError) {
        guard file.starts(with: Self.signature) else { throw .malformed }
        bytes = Self.signature
        var rest = file.dropFirst(Self.signature.count)
        var stage = Stage.beginning
        var needsPalette = false
        while true {
            let chunk = try Self.chunk(&rest)
            let data = chunk.dropFirst(8).dropLast(4)
            let type = String(decoding: chunk.dropFirst(4).prefix(4), as: UTF8.self)
            guard (type == "IHDR") == (stage == .beginning) else { throw .malformed }
            switch type {
            case "IHDR":
                needsPalette = try header(Array(data))
                stage = .header
            case "PLTE":
                guard stage == .header, (3...768).contains(data.count), data.count.isMultiple(of: 3) else {
                    throw .malformed
                }
                stage = .palette
            case "tRNS":
                guard stage == .palette || (stage == .header && !needsPalette), (1...256).contains(data.count) else {
                    throw .malformed
                }
            case "IDAT":
                guard stage != .afterData, stage == .palette || stage == .data || !needsPalette else {
                    throw .malformed
                }
                stage = .data
            case "IEND":
                guard stage == .data || stage == .afterData, data.isEmpty else { throw .malformed }
                bytes += chunk
                return
            default:
                // A capital letter: it can't be drawn without knowing the chunk (§5.4).
                guard chunk.dropFirst(4).first.map({ $0 & 0x20 != 0 }) == true else { throw .unsupported }
                if stage == .data { stage = .afterData }
                continue
            }
            bytes += chunk
        }
    }

    /// The image header (§11.2.2). - Returns: Whether its colours are numbers of a palette.
    private mutating func header(_ data: [UInt8]) throws(PictureError) -> Bool {
        guard data.count == 13 else { throw .malformed }
        (width, height) = (Self.number(data[0..<4]), Self.number(data[4..<8]))
        guard ProfilePicture.fits(width, height) else { throw .size(width, height) }
        let depths: [UInt8: Set<UInt8>] = [
            0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
        ]
        guard depths[data[9]]?.contains(data[8]) == true, data[10] == 0, data[11] == 0, data[12] <= 1 else {
            throw .malformed
        }
        return data[9] == 3
    }

    /// A chunk: length of the data, type, data, checksum (§5.3).
    private static func chunk(_ rest: inout ArraySlice<UInt8>) throws(PictureError) -> ArraySlice<UInt8> {
        guard rest.count >= 12 else { throw .malformed }
        let count = number(rest.prefix(4))
        guard count <= rest.count - 12 else { throw .malformed }
        defer { rest = rest.dropFirst(12 + count) }
        return rest.prefix(12 + count)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
