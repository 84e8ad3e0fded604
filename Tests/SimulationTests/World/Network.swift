/// How long things take on the way.
final class Network: @unchecked Sendable {
    let scheduler: Scheduler
    /// Whether nothing goes wrong any more.
    var isHealed = false
    /// Whether somebody's store was replaced by an earlier copy, or a ratchet was renewed twice at once: what went between the two is lost
    /// or comes twice.
    var hasTravelled = false
    /// Whether somebody began a repair while another one was under way. A word of the agents that was encrypted for the first one's
    /// ratchet may then find neither; nothing that people sent may.
    var hasRepairedOver = false
    /// What must never happen and did.
    private(set) var complaints: [String] = []
    /// What happened, if anybody wants to know.
    private(set) var log: [String] = []
    let isLogging: Bool

    init(_ scheduler: Scheduler, isLogging: Bool) {
        self.scheduler = scheduler
        self.isLogging = isLogging
    }

    func complain(_ what: String) {
        complaints.append(what)
        note("COMPLAINT: \(what)")
    }

    /// The same, unless a store went back in time.
    func complainUnlessTravelled(_ what: String) {
        if hasTravelled { note(what) } else { complain(what) }
    }

    func note(_ what: @autoclosure () -> String) {
        if isLogging { log.append("\(scheduler.now - 1_700_000_000_000) \(what())") }
    }

    /// Of one block, in milliseconds.
    func latency() -> Int64 { Int64(scheduler.happens(0.1) ? scheduler.number(50...900) : scheduler.number(1...40)) }

    /// Until one end notices that the other is gone.
    func silence() -> Int64 {
        if isHealed { return latency() }
        return scheduler.happens(0.8) ? latency() : Int64(scheduler.number(500...90_000))
    }
}
