import CGLib

/// What a C function keeps for a callback: one reference to a Swift value, behind the callback's `data`.
public enum CallbackData {
    private final class Box<Value: Sendable>: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    /// The `data` of a callback that ``value(_:at:)`` reads. ``release`` gives it back.
    public static func keeping<Value: Sendable>(_ value: Value) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(Box(value)).toOpaque()
    }

    /// What was given to ``keeping(_:)``; it must be read as the type that it was given as.
    public static func value<Value: Sendable>(_ type: Value.Type, at data: UnsafeMutableRawPointer) -> Value {
        Unmanaged<Box<Value>>.fromOpaque(data).takeUnretainedValue().value
    }

    /// Gives back what ``keeping(_:)`` gave: C calls it when it keeps the data no longer.
    public static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
        if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
    }
}
