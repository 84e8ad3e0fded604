import COpenSSL

/// Reads OpenSSL's error queue of this thread.
enum OpenSSLFailure {
    /// The newest error in words, and empties the queue.
    static func takeDescription() -> String {
        let code = takeCode()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return "unknown TLS error" }
        return String(cString: reason)
    }

    /// The newest error's code, and empties the queue.
    static func takeCode() -> UInt {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        return code
    }

    /// The reason inside a packed error code (the macro `ERR_GET_REASON` is not visible from Swift).
    static func reason(of code: UInt) -> Int32 {
        Int32(truncatingIfNeeded: code & 0x7F_FFFF)
    }
}
