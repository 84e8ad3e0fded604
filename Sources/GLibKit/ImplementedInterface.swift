import CGLib

/// An interface that a `SubclassedType` implements.
public struct ImplementedInterface: Sendable {
    let type: GType
    let fill: @Sendable (UnsafeMutableRawPointer) -> Void

    /// Names the interface's type and the closure that fills its structure in.
    public init(_ type: GType, fill: @escaping @Sendable (UnsafeMutableRawPointer) -> Void) {
        self.type = type
        self.fill = fill
    }
}
