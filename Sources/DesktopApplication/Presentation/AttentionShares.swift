import Calling

/// How the calls of several profiles share one person: what each profile is to know of those of the others.
enum AttentionShares {
    /// Works it out from all calls, in the order in which they came, with the profiles they are of; `profiles` are those that are open.
    static func shares(of calls: [(profile: Int, snapshot: CallSnapshot)], among profiles: [Int]) -> [Int:
        CallsElsewhere]
    {
        let calls = calls.filter { !$0.snapshot.stage.isEnded }
        let active = calls.first { $0.snapshot.stage.isConsented && !$0.snapshot.isHeld }
        let attended = active ?? calls.first { $0.snapshot.stage == .ringingIn && !$0.snapshot.isIgnored }
        return Dictionary(
            uniqueKeysWithValues: profiles.map { id in
                let others = calls.filter { $0.profile != id }
                return (
                    id, CallsElsewhere(count: others.count, hasAttention: attended.map { $0.profile != id } ?? false)
                )
            })
    }
}
