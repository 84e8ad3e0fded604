import Agent
import Calling
import Foundation
import Signaling

/// A call that is going on here: dialled, or accepted.
struct CallUnderWay: Sendable, Hashable {
    let callID: CallID
    let contact: ContactID
    let name: String
    let direction: CallDirection
    let media: CallMedia
    /// When it began, in seconds since 1970.
    let startedAt: Int64
    /// When people could talk in it.
    var answeredAt: Int64?
    /// Who else was in a call of several; empty for a call of two.
    var members: [CallRecord.Member] = []

    /// The log's entry of a call that the end of the process has cut off.
    var cutOff: CallRecord {
        var record = CallRecord(
            callID: callID, contact: contact, name: CallRecord.name(of: members) ?? name, direction: direction,
            media: media, startedAt: startedAt, answeredAt: answeredAt, endedAt: nil,
            result: answeredAt == nil ? .failure(direction) : .connectionLost, reason: nil)
        record.members = members
        return record
    }
}

/// The calls that go on, as they outlive the process in the sealed store.
final class CallsUnderWay: Sendable {
    private static let name = "calls-under-way"
    /// How many ends are remembered: an update of a call may be handled after its end.
    private static let endLimit = 64

    private let kept = KeptValue(State(), name: CallsUnderWay.name) { state in
        let calls = state.former + state.calls
        return calls.isEmpty ? nil : encoded(calls)
    }

    private struct State {
        var calls: [CallUnderWay] = []
        /// What a former process has left, until it is in the log.
        var former: [CallUnderWay] = []
        var ended: [CallID] = []
    }

    private struct Stored: Codable {
        var call: String
        var contact: String
        var name: String
        var isOutgoing: Bool
        var media: String
        var startedAt: Int64
        var answeredAt: Int64?
        var members: [StoredMember]?
    }

    private struct StoredMember: Codable {
        var name: String
        var contact: String?
    }

    // MARK: What goes on

    /// A call was dialled or accepted. Nothing happens if that is known, or the call is over.
    func begin(_ call: CallUnderWay) {
        kept.change { state in
            guard !state.ended.contains(call.callID), !state.calls.contains(where: { $0.callID == call.callID }) else {
                return false
            }
            state.calls.append(call)
            return true
        }
    }

    /// People can talk in it since then.
    func answer(_ id: CallID, at time: Int64) {
        kept.change { state in
            guard let index = state.calls.firstIndex(where: { $0.callID == id }), state.calls[index].answeredAt == nil
            else { return false }
            state.calls[index].answeredAt = time
            return true
        }
    }

    /// These were in a call of several until now.
    func joined(_ id: CallID, _ members: [CallRecord.Member]) {
        kept.change { state in
            guard let index = state.calls.firstIndex(where: { $0.callID == id }), state.calls[index].members != members
            else { return false }
            state.calls[index].members = members
            return true
        }
    }

    /// A call is over. - Returns: What was known of it, if a former process has left it.
    func end(_ id: CallID) -> CallUnderWay? {
        var former: CallUnderWay?
        kept.change { state in
            state.ended = state.ended.suffix(Self.endLimit - 1) + [id]
            former = state.former.first { $0.callID == id }
            let before = state.calls.count + state.former.count
            state.calls.removeAll { $0.callID == id }
            state.former.removeAll { $0.callID == id }
            return state.calls.count + state.former.count != before
        }
        return former
    }

    /// Whether a call is known to be over.
    func hasEnded(_ id: CallID) -> Bool { kept.value.ended.contains(id) }

    /// What a former process has left, except calls that are told of in another way. They stay on disk until the next write.
    func takeFormer(besides others: Set<CallID>) -> [CallUnderWay] {
        var taken: [CallUnderWay] = []
        kept.change { state in
            taken = state.former.filter { !others.contains($0.callID) }
            state.former.removeAll { !others.contains($0.callID) }
            return !taken.isEmpty
        }
        return taken
    }

    // MARK: The store

    /// Takes over what a former process has left.
    func restore(from agent: Agent) async throws {
        guard let bytes = try await agent.applicationData(Self.name) else { return }
        let former = Self.decoded(bytes)
        kept.change { state in
            state.former = former ?? []
            return former == nil
        }
    }

    /// What is to be written; nil when everything is on disk.
    func draft() -> KeptDraft? { kept.draft() }

    /// An attempt has succeeded.
    func settle(_ draft: KeptDraft) { kept.settle(draft) }

    static func encoded(_ calls: [CallUnderWay]) -> [UInt8]? {
        let stored = calls.map { call in
            Stored(
                call: call.callID.text, contact: call.contact.rawValue, name: call.name,
                isOutgoing: call.direction == .outgoing, media: call.media.rawValue, startedAt: call.startedAt,
                answeredAt: call.answeredAt,
                members: call.members.isEmpty
                    ? nil : call.members.map { StoredMember(name: $0.name, contact: $0.contact?.rawValue) })
        }
        return (try? JSONEncoder().encode(stored)).map { [UInt8]($0) }
    }

    /// Nil when it can't be read; what is no call in it is passed over.
    static func decoded(_ bytes: [UInt8]) -> [CallUnderWay]? {
        (try? JSONDecoder().decode([Stored].self, from: Data(bytes)))?.compactMap { stored in
            guard let id = CallID(parsing: stored.call), let media = CallMedia(rawValue: stored.media) else {
                return nil
            }
            return CallUnderWay(
                callID: id, contact: ContactID(rawValue: stored.contact), name: stored.name,
                direction: stored.isOutgoing ? .outgoing : .incoming, media: media, startedAt: stored.startedAt,
                answeredAt: stored.answeredAt,
                members: (stored.members ?? []).map { member in
                    CallRecord.Member(name: member.name, contact: member.contact.map { ContactID(rawValue: $0) })
                })
        }
    }
}
