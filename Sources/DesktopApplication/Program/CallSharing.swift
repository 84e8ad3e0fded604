import Calling

/// Lets the calls of several profiles take turns as those of one do: one call at a time has the person, others wait or are on hold.
@MainActor final class CallSharing {
    private let profiles: Profiles
    private let roster: CallRoster
    private var told: [Int: CallsElsewhere] = [:]
    private var telling: Task<Void, Never>?

    /// Shares the calls there are among the profiles that are open.
    init(_ profiles: Profiles, _ roster: CallRoster) { (self.profiles, self.roster) = (profiles, roster) }

    /// Has a call of another profile make room for one of this profile; says whether there is room.
    func makeRoom(_ room: MakingRoom?, for profile: Int) async -> Bool {
        let present = roster.consented.first {
            $0.profile != profile && !$0.session.snapshot.isHeld && $0.session.snapshot.stage.isConsented
        }
        guard let present else { return true }
        switch room {
        case nil: return false
        case .end: await present.session.hangUp()
        case .hold:
            guard present.session.snapshot.stage.isFlowing, present.session.snapshot.group == nil else { return false }
            await present.session.hold()
        }
        return true
    }

    /// Has each profile know of the calls of the others.
    func share() {
        let open = profiles.all
        let calls = roster.lines.map { ($0.profile, $0.session.snapshot) }
        let shares = AttentionShares.shares(of: calls, among: open.map(\.id))
        let news = open.filter { shares[$0.id] != told[$0.id, default: CallsElsewhere()] }
        told = shares
        guard !news.isEmpty else { return }
        // One after the other: what is told last holds.
        telling = Task { [telling] in
            await telling?.value
            for profile in news {
                if let share = shares[profile.id] { await profile.provider.setCallsElsewhere(share) }
            }
        }
    }

    /// A profile has just been opened, and knows nothing.
    func forget(_ profile: Int) {
        told[profile] = nil
        share()
    }

    /// Hangs up what the person takes part in of a profile. Who rings hears on, as when the program ends.
    func endCalls(of profile: Int) async {
        for line in roster.consented where line.profile == profile { await line.session.hangUp() }
    }
}
