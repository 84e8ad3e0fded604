import Foundation
import GLibKit
import Wording

/// What a contact's row says and offers.
struct ContactPresentation: Equatable {
    let subtitle: String
    let isWaiting: Bool
    let canCall: Bool
    let canWrite: Bool
    /// How many messages nobody has read, for the eye and in words; nil where there is none.
    let unread: String?
    let unreadSentence: String?
    let canVerify: Bool
    let canTakeName: Bool
    let canRepair: Bool
    /// Whether a new link is all that helps.
    let needsNewLink: Bool
    let canRetry: Bool
    let canRemove: Bool
    let canBlock: Bool
    let isBlocked: Bool
    /// Whether calls with them can be kept out of the log, or in it again.
    let canForgetCalls: Bool
    let canKeepCalls: Bool
    /// Whether there is a link that nobody has opened yet.
    let canShowLink: Bool

    /// Works it out.
    init(_ contact: ContactItem) {
        subtitle = Self.subtitle(contact)
        isWaiting = Self.isWaiting(contact)
        canCall =
            contact.isConnected && contact.allowsCalls && !contact.isBlocked && contact.condition != .cutOff
        canWrite = !contact.isTestCall && (contact.isConnected || contact.condition == .gone)
        let count = contact.unreadMessages
        unread = count == 0 ? nil : count > 99 ? "99+" : "\(count)"
        unreadSentence = count == 0 ? nil : tr("%s unread message", plural: "%s unread messages", count: count, count)
        // Nobody else calls.
        canBlock = contact.isConnected && !contact.isTestCall && !contact.isBlocked
        isBlocked = contact.isBlocked
        canVerify = contact.isConnected && !contact.isTestCall
        canTakeName = contact.offeredName != nil
        canRepair = contact.isConnected && contact.condition == .damaged
        needsNewLink = contact.condition == .cutOff
        canRetry = if case .failed(_, true) = contact.condition { true } else { false }
        canRemove = !contact.isTestCall
        canForgetCalls = contact.isConnected && contact.keepsCalls
        canKeepCalls = !contact.keepsCalls
        canShowLink = contact.invitation != nil
    }

    private static func waiting(since date: Date?) -> String {
        let sentence = tr("Waiting for somebody to open your link")
        return date.map { sentence + " · " + ShortDate.text($0) } ?? sentence
    }

    private static func isWaiting(_ contact: ContactItem) -> Bool {
        switch contact.condition {
        case .gone, .cutOff, .failed: false
        case .repairing: true
        case .fine, .relayUnreachable, .damaged: !contact.isConnected
        }
    }

    private static func subtitle(_ contact: ContactItem) -> String {
        switch contact.condition {
        case .relayUnreachable where contact.isBlocked, .damaged where contact.isBlocked,
            .repairing where contact.isBlocked:
            tr("Blocked: their calls don’t ring here")
        case .relayUnreachable: tr("A relay on the way can’t be reached")
        case .damaged: tr("Their messages can’t be read; repair the connection")
        case .repairing: tr("Repairing the connection…")
        case .gone: tr("They have removed you from their contacts")
        case .cutOff: tr("What they send can’t reach you any more; only a new link helps")
        case .failed(let sentence, _): sentence
        case .fine:
            if contact.invitation != nil {
                waiting(since: contact.invitedAt)
            } else if contact.isBlocked {
                tr("Blocked: their calls don’t ring here")
            } else if !contact.isConnected {
                tr("Connecting…")
            } else if !contact.allowsCalls {
                tr("They don’t accept calls")
            } else if let name = contact.offeredName {
                tr("Now calls themselves %s", name)
            } else if contact.isTestCall {
                tr("Answers every call and sends back what it sees and hears")
            } else {
                contact.lastCall.map { LastCallText.text($0) } ?? tr("You can call each other")
            }
        }
    }
}
