import TestSupport

// Relays that are away for a while, and nothing else.
extension World {
    /// What became of an outage.
    struct Returns: Sendable {
        /// How long after the return of the relays each person has what the other one sent, in milliseconds; nil: not within two
        /// minutes.
        var times: [Int64?] = [nil, nil]
        /// Whether anything arrived before.
        var arrivedEarly = false
        let complaints: [String]
    }

    /// Two people who are connected; both relays are away for so many milliseconds, in the middle of which both people send.
    func outage(of length: Int64) -> Returns {
        network.isHealed = true
        for person in people { person.start() }
        pass(30_000)
        for relay in relays { relay.kill() }
        pass(length / 2)
        for person in people { person.send(size: 100) }
        pass(length - length / 2)
        let arrivedEarly = people.contains { !$0.taken.isEmpty }
        let start = scheduler.now
        for relay in relays {
            do { try relay.start() } catch { network.complain("a relay can't start: \(error)") }
        }
        var times: [Int64?] = [nil, nil]
        while scheduler.now < start + 120_000, times.contains(nil), scheduler.step() {
            for (index, person) in people.enumerated() where times[index] == nil && !person.taken.isEmpty {
                times[index] = scheduler.now - start
            }
        }
        if scheduler.strangerCount > 0 { network.complain("\(scheduler.strangerCount) jobs came from other threads") }
        end()
        return Returns(times: times, arrivedEarly: arrivedEarly, complaints: network.complaints)
    }

    /// Lets so many milliseconds pass.
    private func pass(_ milliseconds: Int64) {
        var isOver = false
        scheduler.after(milliseconds) { isOver = true }
        while !isOver, scheduler.step() {}
    }
}
