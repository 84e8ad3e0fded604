/// What one side of a call tells the other about where it stands for its person: Parley's own event `x.parley.call`
/// (docs/protocol.md), sent only to programs that announced ``PeerAbilities/callStanding``.
public enum CallStanding: String, Sendable, Hashable, CaseIterable {
    /// The callee's person is in another call; this one waits.
    case waiting
    /// It waits no more and rings.
    case ringing
    /// The writer's person has put the call on hold: nothing comes from there, and nothing is heard or seen there.
    case held
    /// It goes on.
    case resumed

    static let event = "x.parley.call"
    static let key = "standing"
}
