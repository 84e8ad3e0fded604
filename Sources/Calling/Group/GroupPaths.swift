import Signaling

/// The paths of media between this member and each other one, directly. Of two the one with the higher number offers, and offers a new
/// one where nothing is heard.
struct GroupPaths: Sendable {
    private enum Standing {
        case opening
        case heard
        case silent
    }

    private struct Path {
        var number: Int
        var standing: Standing
        /// Whether the other's description is known.
        var isDescribed: Bool
    }

    private var paths: [MemberNumber: Path] = [:]
    /// The highest number so far, of what was offered here and what came.
    private var offered: [MemberNumber: Int] = [:]
    private var taken: [MemberNumber: Int] = [:]
    /// With whom there is no path any more: the certificate was another one.
    private(set) var untrusted: Set<MemberNumber> = []
    private var everHeard: Set<MemberNumber> = []
    private let own: MemberNumber
    private let first: Int

    /// - Parameter first: the number before the first path; another one in each life of the process, so that nothing old fits.
    init(own: MemberNumber, first: Int = -1) {
        self.own = own
        self.first = first
    }

    /// Whether this side offers.
    func offers(to member: MemberNumber) -> Bool { own > member }

    func isOpen(_ member: MemberNumber) -> Bool { paths[member] != nil }
    func isHeard(_ member: MemberNumber) -> Bool { paths[member]?.standing == .heard }
    var heard: Set<MemberNumber> { Set(paths.filter { $0.value.standing == .heard }.keys) }
    var open: Set<MemberNumber> { Set(paths.keys) }
    var hasHeardAny: Bool { !everHeard.isEmpty }
    func hasHeard(_ member: MemberNumber) -> Bool { everHeard.contains(member) }
    func isCurrent(_ number: Int, _ member: MemberNumber) -> Bool { paths[member]?.number == number }

    // MARK: Opening

    /// A new path is offered; gives its number, nil when there are no more.
    mutating func offer(_ member: MemberNumber) -> Int? {
        let number = (offered[member] ?? first) + 1
        guard !untrusted.contains(member), number <= GroupDescription.highestPath else { return nil }
        offered[member] = number
        paths[member] = Path(number: number, standing: .opening, isDescribed: false)
        return number
    }

    /// Whether the other's offer is newer than all before.
    func wouldAccept(_ number: Int, of member: MemberNumber) -> Bool {
        !untrusted.contains(member) && number > taken[member] ?? -1
    }

    /// The other's offer is accepted, which ``wouldAccept(_:of:)`` allows.
    mutating func accept(_ number: Int, of member: MemberNumber) {
        taken[member] = number
        paths[member] = Path(number: number, standing: .opening, isDescribed: true)
    }

    /// The answer for a path that was offered, once.
    mutating func answered(_ number: Int, by member: MemberNumber) -> Bool {
        guard let path = paths[member], path.number == number, !path.isDescribed else { return false }
        paths[member]?.isDescribed = true
        return true
    }

    // MARK: What happens on it

    mutating func isHeard(_ number: Int, _ member: MemberNumber) -> Bool {
        guard isCurrent(number, member) else { return false }
        paths[member]?.standing = .heard
        everHeard.insert(member)
        return true
    }

    mutating func isSilent(_ number: Int, _ member: MemberNumber) -> Bool {
        guard isCurrent(number, member) else { return false }
        paths[member]?.standing = .silent
        return true
    }

    /// False when nothing was open.
    mutating func close(_ member: MemberNumber) -> Bool { paths.removeValue(forKey: member) != nil }

    mutating func distrust(_ member: MemberNumber) -> Bool {
        untrusted.insert(member)
        return close(member)
    }

    /// The other has begun anew: whatever it offers is new, and what this side offers counts on.
    mutating func startOver(_ member: MemberNumber) {
        taken[member] = nil
        everHeard.remove(member)
        untrusted.remove(member)
    }
}
