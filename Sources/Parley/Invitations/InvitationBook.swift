import Calling
import Foundation
import Signaling

/// How invitations that are not settled are kept: one JSON document in the agent's sealed store.
struct InvitationBook: Sendable, Equatable {
    let invitations: [KeptInvitation]

    private struct Record: Codable {
        var contact: String
        /// The invitation as it stands in messages.
        var message: Data
        var arrivedAt: Int64
        var ringTime: Int64
        var isAccepted: Bool
        /// Nil is no, as an earlier Parley kept it.
        var isIgnored: Bool?
    }

    init(_ invitations: [KeptInvitation]) { self.invitations = invitations }

    /// Reads what `encoded()` wrote; a record that is no invitation is passed over.
    init(decoding bytes: [UInt8]) throws {
        let records = try JSONDecoder().decode([Record].self, from: Data(bytes))
        invitations = records.compactMap { record in
            guard
                case .call(.invitation(let id, let invitation)) =
                    try? ChatBody(decoding: [UInt8](record.message)).messages.first?.event
            else { return nil }
            return KeptInvitation(
                callID: id, contact: ContactID(rawValue: record.contact), invitation: invitation,
                arrivedAt: record.arrivedAt, ringTime: record.ringTime, isAccepted: record.isAccepted,
                isIgnored: record.isIgnored ?? false)
        }
    }

    func encoded() -> [UInt8]? {
        let records = invitations.compactMap { kept -> Record? in
            let message = ChatMessage(.call(.invitation(kept.callID, kept.invitation)))
            guard let bytes = try? message.encoded() else { return nil }
            return Record(
                contact: kept.contact.rawValue, message: Data(bytes), arrivedAt: kept.arrivedAt,
                ringTime: kept.ringTime, isAccepted: kept.isAccepted, isIgnored: kept.isIgnored ? true : nil)
        }
        return (try? JSONEncoder().encode(records)).map { [UInt8]($0) }
    }
}
