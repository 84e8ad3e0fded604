import Signaling

/// Whom this member has invited, or wants to and waits for the host to give a number.
struct GroupInvitations: Sendable {
    private var asks: [(contact: ContactID, name: MemberName)] = []
    private var sent: Set<MemberNumber> = []

    var isAsking: Bool { !asks.isEmpty }

    /// Whether a contact waits for a number.
    func asks(for contact: ContactID) -> Bool { asks.contains { $0.contact == contact } }

    mutating func ask(_ contact: ContactID, _ name: MemberName) { asks.append((contact, name)) }

    /// The host has given a number to somebody of this name: who is meant; nil when nobody is any more.
    mutating func take(_ name: MemberName) -> ContactID? {
        guard let index = asks.firstIndex(where: { $0.name == name }) else { return nil }
        return asks.remove(at: index).contact
    }

    mutating func stopAsking() { asks = [] }

    func wasSent(_ member: MemberNumber) -> Bool { sent.contains(member) }

    /// True the first time.
    mutating func isFirst(_ member: MemberNumber) -> Bool { sent.insert(member).inserted }
}
