import Cryptography
import Signaling

/// The own key of a group call: who has it, when it is hashed on, and when a new one takes its place.
///
/// Who comes is given the next step of the secret, and can't open what came before. When somebody who has it goes, the others are given a
/// new secret, which is used as soon as all of them have it or the time for that is over.
struct KeySchedule: Sendable {
    /// The key in use.
    private(set) var current: GroupKey
    /// The next key while others are being given it, and who of them has not confirmed it.
    private var pending: (key: GroupKey, awaited: Set<MemberNumber>)?
    /// Who was given the newest key or one that leads to it.
    private(set) var holders: Set<MemberNumber> = []
    private let call: CallID

    /// Begins with a random secret of 32 bytes.
    init(call: CallID, epoch: UInt8 = 0, secret: SecretBytes) {
        self.call = call
        current = GroupKey(epoch: epoch, step: 0, secret: secret)
    }

    /// The key that newcomers are given.
    var newest: GroupKey { pending?.key ?? current }

    /// Whether a key waits to be used.
    var isChanging: Bool { pending != nil }

    /// A member is to have the key; gives it, hashed on unless the member has it already.
    ///
    /// - Parameter fresh: makes a secret, for when it was hashed on as often as others can follow.
    /// - Returns: the key to be given, and to whom: to all who are to have it where it is of a new epoch.
    mutating func admit(
        _ member: MemberNumber, fresh: () -> SecretBytes
    ) -> (key: GroupKey, receivers: Set<MemberNumber>) {
        guard holders.insert(member).inserted else { return (newest, [member]) }
        if newest.step >= GroupKeyStep.most { return (begin(fresh()), holders) }
        if let waiting = pending {
            pending = (stepped(waiting.key), waiting.awaited)
        } else {
            current = stepped(current)
        }
        return (newest, [member])
    }

    /// A member is out: whoever has the key and stays is to have a new one.
    ///
    /// - Returns: the new key and to whom it is given; nil where the member never had one.
    mutating func exclude(
        _ member: MemberNumber, fresh: () -> SecretBytes
    ) -> (key: GroupKey, receivers: Set<MemberNumber>)? {
        guard holders.remove(member) != nil else { return nil }
        let key = begin(fresh())
        return (key, holders)
    }

    /// A member has lost what it was given and is to be given it anew, as a newcomer.
    mutating func forget(_ member: MemberNumber) {
        holders.remove(member)
        pending?.awaited.remove(member)
    }

    /// All begins anew with another secret, which nobody has yet.
    mutating func restart(_ secret: SecretBytes) {
        let epoch = newest.epoch &+ 1
        (holders, pending) = ([], nil)
        current = GroupKey(epoch: epoch, step: 0, secret: secret)
    }

    /// A member has the key of an epoch. True when a waiting key is in use now.
    mutating func confirmed(_ member: MemberNumber, epoch: UInt8) -> Bool {
        guard let waiting = pending, waiting.key.epoch == epoch else { return false }
        pending?.awaited.remove(member)
        return useIfComplete()
    }

    /// Whoever has not confirmed the waiting key by now is not waited for. True when it is in use now.
    mutating func timeIsOver() -> Bool {
        pending?.awaited = []
        return useIfComplete()
    }

    /// The call is over.
    mutating func wipe() {
        (holders, pending) = ([], nil)
        current = GroupKey(epoch: 0, step: 0, secret: SecretBytes([]))
    }

    private mutating func begin(_ secret: SecretBytes) -> GroupKey {
        let key = GroupKey(epoch: newest.epoch &+ 1, step: 0, secret: secret)
        pending = (key, holders)
        return key
    }

    private mutating func useIfComplete() -> Bool {
        guard let waiting = pending, waiting.awaited.isEmpty else { return false }
        (current, pending) = (waiting.key, nil)
        return true
    }

    private func stepped(_ key: GroupKey) -> GroupKey {
        GroupKey(epoch: key.epoch, step: key.step + 1, secret: GroupKeyStep.next(key.secret, call: call))
    }
}
