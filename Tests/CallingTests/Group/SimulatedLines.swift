import Signaling

@testable import Calling

/// The links of a simulated call and the lines they become.
struct SimulatedLines {
    private struct Line {
        var maker: Int
        /// For whom it was made.
        var member: MemberNumber
        /// Who opened it, as whose link.
        var user: (person: Int, member: MemberNumber)?
    }

    private var lines: [GroupLink: Line] = [:]

    mutating func made(_ link: GroupLink, by maker: Int, for member: MemberNumber) {
        lines[link] = Line(maker: maker, member: member)
    }

    /// Who made a link, and for whom; nil when it was deleted.
    func offer(_ link: GroupLink) -> (maker: Int, member: MemberNumber)? {
        lines[link].map { ($0.maker, $0.member) }
    }

    /// Somebody has opened a link: it takes the place of the former line of the two.
    mutating func joined(_ link: GroupLink, by person: Int, as member: MemberNumber) {
        guard let open = lines[link] else { return }
        lines[link]?.user = (person, member)
        for (other, line) in lines where other != link {
            guard let user = line.user else { continue }
            if Set([line.maker, user.person]) == Set([open.maker, person]) { lines[other] = nil }
        }
    }

    /// A line is deleted: gives who finds out, and as whose line.
    mutating func close(_ person: Int, _ member: MemberNumber) -> [(person: Int, member: MemberNumber)] {
        var ends: [(person: Int, member: MemberNumber)] = []
        for (link, line) in lines.sorted(by: { $0.key.text < $1.key.text }) {
            if line.maker == person, line.member == member {
                if let user = line.user { ends.append(user) }
            } else if let user = line.user, user == (person, member) {
                ends.append((line.maker, line.member))
            } else {
                continue
            }
            lines[link] = nil
        }
        return ends
    }
}
