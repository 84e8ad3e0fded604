/// How long sources pause, and how long when they are exchanged. Times in microseconds.
package struct SwitchPauses: Sendable, Equatable {
    /// For so long after an exchange has begun a pause may be its doing.
    static let window: Int64 = 2_000_000

    /// The longest pause around an exchange.
    package private(set) var switching: Int64 = 0
    /// The longest pause at other times.
    package private(set) var ordinary: Int64 = 0
    private var last: Int64?
    private var begun: Int64?

    package init() {}

    /// A frame has come.
    package mutating func frame(at time: Int64) {
        defer { last = time }
        guard let last else { return }
        if let begun, last <= begun + Self.window {
            switching = max(switching, time - last)
        } else {
            ordinary = max(ordinary, time - last)
        }
    }

    /// The source is about to be exchanged.
    package mutating func begin(at time: Int64) { begun = time }

    /// The source is closed.
    package mutating func forget() { last = nil }
}
