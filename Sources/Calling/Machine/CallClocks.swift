/// Which clocks of a call run. One that was stopped, or never started, means nothing when it runs out.
struct CallClocks: Sendable {
    private(set) var running: Set<CallTimer> = []

    mutating func start(_ timer: CallTimer, _ time: Duration) -> [CallEffect] {
        running.insert(timer)
        return [.startTimer(timer, time)]
    }

    mutating func stop(_ timer: CallTimer) -> [CallEffect] {
        running.remove(timer) == nil ? [] : [.stopTimer(timer)]
    }

    /// Stops all, in the order of their names.
    mutating func stopAll() -> [CallEffect] {
        running.sorted { $0.rawValue < $1.rawValue }.flatMap { stop($0) }
    }

    /// A clock ran out; false if it means nothing any more.
    mutating func ranOut(_ timer: CallTimer) -> Bool { running.remove(timer) != nil }
}
