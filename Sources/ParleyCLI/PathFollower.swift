import Parley
import Wording

/// Tells when a call's path breaks and when it is there again.
struct PathFollower {
    /// What to print.
    struct Change: Equatable {
        let event: String
        let sentence: String
    }

    private var isReconnecting = false
    private var transportNumber = 0

    /// Looks at a state; nil when the path is as it was.
    mutating func follow(_ state: CallState) -> Change? {
        defer { transportNumber = state.transportNumber }
        if case .reconnecting = state.phase {
            defer { isReconnecting = true }
            return isReconnecting ? nil : Change(event: "reconnecting", sentence: tr("Reconnecting…"))
        }
        guard case .active = state.phase else { return nil }
        defer { isReconnecting = false }
        if isReconnecting { return Change(event: "reconnected", sentence: tr("Connected again.")) }
        return state.transportNumber == transportNumber
            ? nil : Change(event: "moved", sentence: tr("The call goes on over another path."))
    }
}
