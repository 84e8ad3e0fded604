import Signaling

/// What falls to the keeper of a room: how it is closed, who would follow the keeper, and that nobody stays in it who was put out of the call.
struct RoomKeeping: Sendable {
    /// How a room is closed, as somebody told this side: its keeper, or, where this side is that and came back, the one whom it had told.
    private var heritage: (room: GroupRoom, from: MemberNumber)?
    /// Whom this side told how it is closed, and of which room.
    private var heir: (member: MemberNumber, room: Int)?
    /// Whether somebody who was put out of the call is still to be put out of the room, and whether the server is asked for that just now.
    private var isLockDue = false, isLocking = false

    // MARK: What closes it

    /// What closes a room; nil where this side does not have it.
    func secret(of room: GroupRoom) -> SecretText? {
        room.secret ?? heritage.flatMap { room.isSame(as: $0.room) ? $0.room.secret : nil }
    }

    /// What this member told this side that closes a room; nil where it did not.
    func secret(of room: GroupRoom, toldBy member: MemberNumber) -> SecretText? {
        heritage?.from == member ? secret(of: room) : nil
    }

    /// A member says how a room is closed.
    mutating func inherit(_ room: GroupRoom, from member: MemberNumber) { heritage = (room, member) }

    // MARK: Who would follow

    /// Tells whoever would follow this side as the host how the room is closed, once.
    mutating func tellHeir(of room: GroupRoom, in call: inout GroupContext) {
        guard call.roster.isHost, let secret = secret(of: room), let member = call.roster.present.min(),
            heir.map({ $0 != (member, room.number) }) ?? true
        else { return }
        heir = (member, room.number)
        var told = room
        told.secret = secret
        call.put(.heir(told), .heir, to: member)
    }

    /// What a member was told it may not know any more.
    mutating func tellAgain(_ member: MemberNumber) {
        if heir?.member == member { heir = nil }
    }

    // MARK: Who is put out

    /// This side is in another room.
    mutating func begin() { (isLockDue, isLocking) = (false, false) }

    /// A member was put out of the call.
    mutating func putOut() { isLockDue = true }

    /// Has the room locked where that is due: one after the other, as each needs the secret that the one before has left.
    mutating func lock(_ room: GroupRoom, in call: inout GroupContext) {
        guard isLockDue, !isLocking, call.roster.isHost, let secret = secret(of: room) else { return }
        var locked = room
        locked.secret = secret
        (isLockDue, isLocking) = (false, true)
        call.act(.lockRoom(locked, staying: Set(call.roster.present + [call.own])))
    }

    /// The room has another lock, of which whoever would follow knows nothing yet.
    mutating func locked() { (isLocking, heir) = (false, nil) }

    /// The server could not be reached.
    mutating func notLocked() { (isLockDue, isLocking) = (true, false) }
}
