import Cryptography
import Signaling

@testable import Calling

/// Who was given which keys of a simulated call, and which were used: what each could open if it kept all it ever got.
struct GroupKeyWatch {
    private struct Given: Hashable {
        var owner: Int
        var reader: Int
    }

    private var given: [Given: [GroupKey]] = [:]
    private var used: [Int: [GroupKey]] = [:]
    private let call: CallID

    init(call: CallID) { self.call = call }

    /// A key leaves for somebody. Nil, or what is wrong: a newcomer may not get what opens earlier frames.
    mutating func gives(_ key: GroupKey, from owner: Int, to reader: Int) -> String? {
        let place = Given(owner: owner, reader: reader)
        let isNew = !given[place, default: []].contains { opens($0, key) || $0 == key }
        given[place, default: []].append(key)
        guard isNew, let before = used[owner]?.first(where: { opens(key, $0) }) else { return nil }
        return
            "\(reader) is given a key of \(owner) that opens step \(before.step) of epoch \(before.epoch), used before"
    }

    mutating func uses(_ key: GroupKey, by owner: Int) { used[owner, default: []].append(key) }

    func current(of owner: Int) -> GroupKey? { used[owner]?.last }

    /// Whether somebody can open what this member seals now.
    func canOpen(_ owner: Int, by reader: Int) -> Bool {
        guard let current = used[owner]?.last else { return false }
        return given[Given(owner: owner, reader: reader), default: []].contains { opens($0, current) }
    }

    /// Whether one key leads to another.
    func opens(_ key: GroupKey, _ other: GroupKey) -> Bool {
        guard key.epoch == other.epoch, key.step <= other.step else { return false }
        var secret = key.secret
        for _ in key.step..<other.step { secret = GroupKeyStep.next(secret, call: call) }
        return secret == other.secret
    }
}
