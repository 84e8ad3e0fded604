/// A text that a picture held as a QR code. Whoever made the picture chose it.
public struct ScannedCode: Hashable, Sendable {
    /// Bytes of the longest text that a QR code holds, digits in all of it (ISO/IEC 18004, table 7).
    public static let maximumBytes = 7_089
    /// What the reader calls QR codes, among codes of other kinds.
    private static let kind = "QR-Code"

    /// The text.
    public let text: String

    /// What a reader has found; nil for codes of other kinds, such as those on goods, and for what no QR code holds.
    public init?(kind: String, text: String) {
        guard kind == Self.kind, (1...Self.maximumBytes).contains(text.utf8.count) else { return nil }
        self.text = text
    }
}
