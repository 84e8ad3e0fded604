/// An error of whatever floor, carried upward as it is: for errors that name what lies below them without importing it.
///
/// Two are the same when their errors are of one type and say the same.
public struct Cause: Error, Hashable, CustomStringConvertible {
    /// The error itself.
    public let error: any Error

    /// Carries an error; one that carries another is taken out of its wrapping.
    public init(_ error: any Error) { self.error = (error as? Cause)?.error ?? error }

    /// For the log.
    public var description: String { String(describing: error) }

    public static func == (one: Cause, other: Cause) -> Bool {
        type(of: one.error) == type(of: other.error) && one.description == other.description
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type(of: error)))
        hasher.combine(description)
    }
}
