import COpenSSL

/// OpenSSL's error queue of this thread.
package enum OpenSSLFailure {
    /// The newest error in words, nil without one; empties the queue.
    package static func takeReason() -> String? {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return nil }
        return String(cString: reason)
    }

    /// The newest error's reason as a number, 0 without one; the queue stays as it is.
    package static var reasonCode: Int32 {
        // The macro ERR_GET_REASON is not visible from Swift.
        Int32(truncatingIfNeeded: ERR_peek_last_error() & 0x7F_FFFF)
    }
}
