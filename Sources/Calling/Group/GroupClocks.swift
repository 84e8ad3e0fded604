/// Which clocks of a group call run. One that was stopped, or never started, means nothing when it runs out.
struct GroupClocks: Sendable {
    private var running: Set<GroupTimer> = []

    func runs(_ timer: GroupTimer) -> Bool { running.contains(timer) }

    var isEmpty: Bool { running.isEmpty }

    mutating func start(_ timer: GroupTimer, _ time: Duration) -> [GroupCallEffect] {
        running.insert(timer)
        return [.startTimer(timer, time)]
    }

    mutating func startUnlessRunning(_ timer: GroupTimer, _ time: Duration) -> [GroupCallEffect] {
        runs(timer) ? [] : start(timer, time)
    }

    mutating func stop(_ timer: GroupTimer) -> [GroupCallEffect] {
        running.remove(timer) == nil ? [] : [.stopTimer(timer)]
    }

    /// Stops all, in a stable order.
    mutating func stopAll() -> [GroupCallEffect] {
        running.sorted { "\($0)" < "\($1)" }.flatMap { stop($0) }
    }

    /// A clock ran out; false if it means nothing any more.
    mutating func ranOut(_ timer: GroupTimer) -> Bool { running.remove(timer) != nil }
}
