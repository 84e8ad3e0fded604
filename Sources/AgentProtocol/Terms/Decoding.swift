import SMP

/// Decodes a whole value: what `read` throws becomes an `AgentDecodingError`, and nothing may follow.
func decodeAll<Value>(
    _ bytes: [UInt8], _ read: (inout ByteReader) throws -> Value
) throws(AgentDecodingError) -> Value {
    var reader = ByteReader(bytes)
    let value: Value
    do {
        value = try read(&reader)
    } catch let error as AgentDecodingError {
        throw error
    } catch {
        throw .malformed
    }
    guard reader.isAtEnd else { throw .trailingBytes }
    return value
}
