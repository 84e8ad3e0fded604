import CGLib

/// What a signal handler is given: the sender at index −1 (`sender`) and the signal's own parameters from 0. Valid only
/// during the handler's call.
public struct SignalArguments {
    private let values: UnsafeBufferPointer<GValue>

    init(_ first: UnsafePointer<GValue>?, count: Int) {
        values = UnsafeBufferPointer(start: first, count: count)
    }

    /// How many parameters the signal has, the sender not counted.
    public var count: Int { Swift.max(values.count - 1, 0) }

    /// A parameter as a Swift type, or nil when there is none at this index or it is of another kind.
    public func get<Content: ValueReadable>(_ index: Int, as kind: Content.Type = Content.self) -> Content? {
        value(at: index).flatMap { Content(reading: $0) }
    }

    /// A parameter that is an object.
    public func object(_ index: Int) -> Object? {
        value(at: index).flatMap { Object(reading: $0) }
    }

    /// The object that emitted the signal.
    public var sender: Object? { object(-1) }

    private func value(at index: Int) -> UnsafePointer<GValue>? {
        guard let base = values.baseAddress, values.indices.contains(index + 1) else { return nil }
        return base + (index + 1)
    }
}
