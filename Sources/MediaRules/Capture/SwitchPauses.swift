import BaseKit

/// How long sources pause, and how long when they are exchanged.
package struct SwitchPauses: Sendable, Equatable {
    /// For so long after an exchange has begun a pause may be its doing.
    static let window: Duration = .seconds(2)

    /// The longest pause around an exchange.
    package private(set) var switching: Duration = .zero
    /// The longest pause at other times.
    package private(set) var ordinary: Duration = .zero
    private var last: Instant?
    private var begun: Instant?

    package init() {}

    /// A frame has come.
    package mutating func frame(at time: Instant) {
        defer { last = time }
        guard let last else { return }
        if let begun, last <= begun + Self.window {
            switching = max(switching, time - last)
        } else {
            ordinary = max(ordinary, time - last)
        }
    }

    /// The source is about to be exchanged.
    package mutating func begin(at time: Instant) { begun = time }

    /// The source is closed.
    package mutating func forget() { last = nil }
}
