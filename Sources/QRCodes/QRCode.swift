import CQRencode

/// A text as a QR code (ISO/IEC 18004): a square of dark and light modules.
public struct QRCode: Sendable, Hashable {
    /// Bytes of the longest text that a code holds.
    public static let maximumBytes = 2_953
    /// How many light modules belong around a code, or readers don't find it.
    public static let quietZone = 4

    /// How many modules a side has, without the quiet zone.
    public let side: Int
    private let isDark: [Bool]

    /// Why there is no code.
    public enum Failure: Error, Hashable, Sendable {
        /// The text is empty, or has more than ``maximumBytes``.
        case unfitting
        /// The library did not make it.
        case notMade
    }

    /// Makes the smallest code that holds the text. A screen has no stains: the weakest correction of errors makes the largest modules.
    /// - Throws: ``Failure``.
    public init(text: String) throws(Failure) {
        let bytes = Array(text.utf8)
        guard (1...Self.maximumBytes).contains(bytes.count) else { throw .unfitting }
        guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_L) else { throw .notMade }
        defer { QRcode_free(code) }
        side = Int(code.pointee.width)
        guard side > 0, let data = code.pointee.data else { throw .notMade }
        // The lowest bit is the colour; the others say what a module is for.
        isDark = UnsafeBufferPointer(start: data, count: side * side).map { $0 & 1 != 0 }
    }

    /// Whether a module is dark; false for what lies outside.
    public subscript(column: Int, row: Int) -> Bool {
        guard (0..<side).contains(column), (0..<side).contains(row) else { return false }
        return isDark[row * side + column]
    }

    /// The columns of neighbouring dark modules in a row, from the left.
    public func darkRuns(inRow row: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start: Int?
        for column in 0...side {
            switch (self[column, row], start) {
            case (true, nil): start = column
            case (false, let first?):
                runs.append(first..<column)
                start = nil
            default: break
            }
        }
        return runs
    }
}
