/// What can be wrong with the text of a chat message, ours or a peer's.
///
/// Every fault of a peer ends here, as a value: nothing in this floor traps on what came from outside.
public enum SignalingError: Error, Equatable, Sendable {
    /// The bytes are no JSON document.
    case invalidJSON(JSONError)
    /// A required field is absent.
    case missingField(String)
    /// A field has the wrong type, or a value outside of its range.
    case invalidField(String)
    /// A text is longer than its field may be, in bytes.
    case fieldTooLong(String, limit: Int)
    /// A list has more elements than its field may have.
    case fieldTooMany(String, limit: Int)
    /// The body is longer than a message or a handshake can carry, in bytes.
    case tooLarge(count: Int, limit: Int)
    /// The body has no bytes at all.
    case emptyBody
    /// The body is of a known kind which this program does not read.
    case unsupportedBody(UnsupportedBody)
    /// The first byte belongs to no known kind of body.
    case unknownBody(firstByte: UInt8)
    /// A compressed body whose items do not add up, or are no zstd frames.
    case malformedCompression
    /// Packed session data which does not unpack.
    case invalidPacking(LZStringError)

    /// Kinds of body that are recognised and left alone (Calls fact sheet §1).
    public enum UnsupportedBody: Equatable, Sendable {
        /// `=`, a binary batch.
        case binaryBatch
        /// `F`, an inline file chunk.
        case fileChunk
    }
}
