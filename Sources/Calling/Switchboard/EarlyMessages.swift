import BaseKit
import Signaling

/// Messages that came before the invitation they belong to: candidates and ends. They are kept for a while, in small
/// numbers, and matched when the invitation comes. They touch nothing until then.
struct EarlyMessages: Sendable {
    /// What came early for one call.
    struct Box: Sendable {
        var contact: ContactID
        var keptAt: Instant
        var candidates: [ICECandidate] = []
        var hasEnded = false
    }

    static let capacity = 16
    /// As long as an invitation may be old.
    static let lifetime = CallTiming.invitationAge

    private var boxes: [CallID: Box] = [:]

    /// Keeps a message; false if there is no room, or the call's name is in use by somebody else.
    mutating func keep(_ message: CallMessage, from contact: ContactID, at now: Instant) -> Bool {
        boxes = boxes.filter { now - $0.value.keptAt < Self.lifetime }
        guard boxes[message.callID] != nil || boxes.count < Self.capacity else { return false }
        var box = boxes[message.callID] ?? Box(contact: contact, keptAt: now)
        guard box.contact == contact else { return false }
        switch message {
        case .extra(_, let candidates):
            guard box.candidates.count + candidates.count <= ICECandidate.maximumCount else { return false }
            box.candidates += candidates
        case .end: box.hasEnded = true
        case .invitation, .offer, .answer, .renew, .standing: return false
        }
        boxes[message.callID] = box
        return true
    }

    /// What came early for a call of this contact.
    mutating func take(_ id: CallID, from contact: ContactID, at now: Instant) -> Box? {
        guard let box = boxes[id], box.contact == contact else { return nil }
        boxes[id] = nil
        return now - box.keptAt < Self.lifetime ? box : nil
    }
}
