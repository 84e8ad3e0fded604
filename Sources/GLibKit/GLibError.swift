import CGLib

/// A `GError`, copied out of C.
public struct GLibError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The error's domain, such as `g-io-error-quark`.
    public let domain: String
    /// The number within the domain.
    public let code: Int
    /// The library's sentence.
    public let message: String

    /// An error of our own with a sentence.
    public init(domain: String, code: Int = 0, message: String) {
        self.domain = domain
        self.code = code
        self.message = message
    }

    /// Takes over and frees a `GError`.
    public init(adopting error: UnsafeMutablePointer<GError>) {
        domain = g_quark_to_string(error.pointee.domain).map { String(cString: $0) } ?? ""
        code = Int(error.pointee.code)
        message = error.pointee.message.map { String(cString: $0) } ?? ""
        g_error_free(error)
    }

    /// The library's sentence.
    public var description: String { message }

    /// Calls a C function that takes a `GError **`; throws what it reports.
    public static func check<Result>(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Result
    ) throws(GLibError) -> Result {
        var error: UnsafeMutablePointer<GError>?
        let result = body(&error)
        if let error { throw GLibError(adopting: error) }
        return result
    }
}
