import Agent
import Calling
import Foundation
import Signaling
import Synchronization

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

    /// The log's entry of a call that the end of the process has cut off.
    var cutOff: CallRecord {
        CallRecord(
            callID: callID, contact: contact, name: name, direction: direction, media: media, startedAt: startedAt,
            answeredAt: answeredAt, endedAt: nil,
            result: answeredAt == nil ? .failure(direction) : .connectionLost, reason: nil)
    }
}

/// The calls that go on, as they outlive the process in the sealed store. What is written is what holds in that moment, so that no
/// earlier state takes the place of a later one.
final class CallsUnderWay: Sendable {
    private static let name = "calls-under-way"
    /// How many ends are remembered: an update of a call may be handled after its end.
    private static let endLimit = 64

    private let state = Mutex(State())

    private struct State {
        var calls: [CallUnderWay] = []
        /// What a former process has left, until it is in the log.
        var former: [CallUnderWay] = []
        var ended: [CallID] = []
        /// How often they have changed, and up to which change they are on disk.
        var (changeCount, storedCount) = (0, 0)
    }

    /// One attempt to write.
    struct Draft: Sendable {
        let value: ApplicationValue
        fileprivate let written: Written
    }

    /// Up to which change an attempt has written.
    fileprivate final class Written: Sendable {
        let changeCount = Mutex(0)
    }

    private struct Stored: Codable {
        var call: String
        var contact: String
        var name: String
        var isOutgoing: Bool
        var media: String
        var startedAt: Int64
        var answeredAt: Int64?
    }

    // MARK: What goes on

    /// A call was dialled or accepted. Nothing happens if that is known, or the call is over.
    func begin(_ call: CallUnderWay) {
        state.withLock { state in
            guard !state.ended.contains(call.callID), !state.calls.contains(where: { $0.callID == call.callID }) else {
                return
            }
            state.calls.append(call)
            state.changeCount += 1
        }
    }

    /// People can talk in it since then.
    func answer(_ id: CallID, at time: Int64) {
        state.withLock { state in
            guard let index = state.calls.firstIndex(where: { $0.callID == id }), state.calls[index].answeredAt == nil
            else { return }
            state.calls[index].answeredAt = time
            state.changeCount += 1
        }
    }

    /// A call is over. - Returns: What was known of it, if a former process has left it.
    func end(_ id: CallID) -> CallUnderWay? {
        state.withLock { state in
            state.ended = state.ended.suffix(Self.endLimit - 1) + [id]
            let former = state.former.first { $0.callID == id }
            let before = state.calls.count + state.former.count
            state.calls.removeAll { $0.callID == id }
            state.former.removeAll { $0.callID == id }
            if state.calls.count + state.former.count != before { state.changeCount += 1 }
            return former
        }
    }

    /// Whether a call is known to be over.
    func hasEnded(_ id: CallID) -> Bool { state.withLock { $0.ended.contains(id) } }

    /// What a former process has left, except calls that are told of in another way. They stay on disk until the next write.
    func takeFormer(besides others: Set<CallID>) -> [CallUnderWay] {
        state.withLock { state in
            let taken = state.former.filter { !others.contains($0.callID) }
            state.former.removeAll { !others.contains($0.callID) }
            if !taken.isEmpty { state.changeCount += 1 }
            return taken
        }
    }

    // MARK: The store

    /// Takes over what a former process has left.
    func restore(from agent: Agent) async throws {
        guard let bytes = try await agent.applicationData(Self.name) else { return }
        let former = Self.decoded(bytes)
        state.withLock { state in
            state.former = former ?? []
            if former == nil { state.changeCount += 1 }
        }
    }

    /// What is to be written; nil when everything is on disk.
    func draft() -> Draft? {
        guard state.withLock({ $0.changeCount != $0.storedCount }) else { return nil }
        let written = Written()
        let value = ApplicationValue(Self.name) { [self] in
            let (calls, changeCount) = state.withLock { ($0.former + $0.calls, $0.changeCount) }
            written.changeCount.withLock { $0 = changeCount }
            return calls.isEmpty ? nil : Self.encoded(calls)
        }
        return Draft(value: value, written: written)
    }

    /// An attempt has succeeded.
    func settle(_ draft: Draft) {
        let changeCount = draft.written.changeCount.withLock { $0 }
        state.withLock { $0.storedCount = max($0.storedCount, changeCount) }
    }

    static func encoded(_ calls: [CallUnderWay]) -> [UInt8]? {
        let stored = calls.map { call in
            Stored(
                call: call.callID.text, contact: call.contact.rawValue, name: call.name,
                isOutgoing: call.direction == .outgoing, media: call.media.rawValue, startedAt: call.startedAt,
                answeredAt: call.answeredAt)
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
                answeredAt: stored.answeredAt)
        }
    }
}
