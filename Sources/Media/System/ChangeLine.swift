/// An actor's changes, one after the other and each to its end, although they wait in between.
///
/// Of a device that is opened, exchanged and closed nothing may be seen half done: whoever changes it queues here. What must act at
/// once, as the end of a question to the person, does so before it queues.
struct ChangeLine {
    private var last: Task<Void, Never>?

    /// Begins a change once those before it have ended.
    mutating func begin(_ change: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let previous = last
        let next = Task {
            await previous?.value
            await change()
        }
        last = next
        return next
    }
}
