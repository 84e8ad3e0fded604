import Signaling

/// Whether a call has the attention of both persons: on hold here or there, waiting behind another call here or there, ignored.
///
/// It says nothing about the way between the two: a call on hold has its media connection, and may lose and regain it.
struct CallAttention: Sendable {
    /// What the contact's program understands beyond the protocol.
    var abilities: PeerAbilities
    private(set) var hold = CallHold()
    /// Whether it rings while the person is occupied with another call.
    private(set) var isWaiting = false
    /// Whether the contact's person is occupied with another call.
    private(set) var isWaitingAtPeer = false
    /// Whether the person wants to hear nothing of it.
    private(set) var isIgnored = false
    /// Whether the contact's side has spoken of hold on the media path: its messages are older then.
    private var hearsOfHoldOnPath = false

    init(abilities: PeerAbilities) { self.abilities = abilities }

    /// Each gives what the contact is to be told, which is nothing where nothing changes or its program would not understand.
    mutating func setHeld(_ isHeld: Bool) -> [CallStanding] {
        guard hold.isHeldHere != isHeld else { return [] }
        hold.isHeldHere = isHeld
        return told(isHeld ? .held : .resumed)
    }

    mutating func setWaiting(_ isWaiting: Bool) -> [CallStanding] {
        guard self.isWaiting != isWaiting else { return [] }
        self.isWaiting = isWaiting
        return told(isWaiting ? .waiting : .ringing)
    }

    mutating func ignore() { isIgnored = true }

    /// The contact's side says where the call stands there.
    mutating func heard(_ standing: CallStanding) {
        switch standing {
        case .waiting: isWaitingAtPeer = true
        case .ringing: isWaitingAtPeer = false
        case .held, .resumed: if !hearsOfHoldOnPath { hold.isHeldByPeer = standing == .held }
        }
    }

    /// The contact's side says on the media path whether the call is on hold there.
    mutating func heard(isHeldByPeer: Bool) {
        hearsOfHoldOnPath = true
        hold.isHeldByPeer = isHeldByPeer
    }

    private func told(_ standing: CallStanding) -> [CallStanding] {
        abilities.contains(.callStanding) ? [standing] : []
    }
}
