import Signaling

@testable import Calling

/// The paths of a simulated call, and whose network is cut.
struct SimulatedPaths {
    private struct Session {
        var id: Int
        var number: Int
        /// The other's session that it is connected with.
        var other: Int?
        var isHeard = false
    }

    /// One end of a path.
    struct End {
        var person: Int
        var member: MemberNumber
        var session: Int
        var number: Int
    }

    private var sessions: [[MemberNumber: Session]]
    private var cutOff: Set<Int> = []

    init(people: Int) { sessions = Array(repeating: [:], count: people) }

    func isCut(_ person: Int) -> Bool { cutOff.contains(person) }

    /// To whom somebody has paths.
    func members(of person: Int) -> [MemberNumber] { sessions[person].keys.sorted() }

    /// A new path; gives its description.
    mutating func open(
        _ person: Int, _ member: MemberNumber, _ number: Int, _ role: GroupPathRole, id: Int
    ) -> SessionDescription {
        sessions[person][member] = Session(id: id, number: number)
        guard case .answers(let offer) = role else { return SessionDescription(kind: .offer, sdp: "\(id)") }
        sessions[person][member]?.other = Int(offer.description.sdp)
        return SessionDescription(kind: .answer, sdp: "\(id) \(offer.description.sdp)")
    }

    /// Takes an answer; false for one to another offer, nil where there is no such path.
    mutating func connect(
        _ person: Int, _ member: MemberNumber, _ number: Int, _ answer: GroupDescription
    ) -> Bool? {
        let parts = answer.description.sdp.split(separator: " ").compactMap { Int($0) }
        guard let session = sessions[person][member], session.number == number, parts.count == 2 else { return nil }
        guard parts[1] == session.id else { return false }
        sessions[person][member]?.other = parts[0]
        return true
    }

    /// Gives the ends that hear something from now on; nil where nothing can pass.
    mutating func meet(_ person: Int, _ member: MemberNumber, _ other: Int, _ own: MemberNumber) -> [End]? {
        guard let near = sessions[person][member], !isCut(person), !isCut(other), let far = sessions[other][own],
            near.other == far.id, far.other == near.id
        else { return nil }
        var ends: [End] = []
        for (end, peer, open) in [(person, member, near), (other, own, far)] where !open.isHeard {
            sessions[end][peer]?.isHeard = true
            ends.append(End(person: end, member: peer, session: open.id, number: open.number))
        }
        return ends
    }

    /// A path is closed: gives the ends that hear nothing any more.
    mutating func close(_ person: Int, _ member: MemberNumber, _ other: Int?) -> [End] {
        guard let session = sessions[person].removeValue(forKey: member), let other else { return [] }
        return ends(of: other, to: session.id)
    }

    /// Somebody is cut off: gives the ends that hear nothing any more.
    mutating func cut(_ person: Int, _ numbers: [MemberNumber: Int]) -> [End] {
        cutOff.insert(person)
        return sessions[person].sorted { $0.key < $1.key }.flatMap { member, session in
            let near = End(person: person, member: member, session: session.id, number: session.number)
            return [near] + (numbers[member].map { ends(of: $0, to: session.id) } ?? [])
        }
    }

    mutating func mend(_ person: Int) { cutOff.remove(person) }

    /// An end has heard nothing for long: gives the number of its path, nil where that is not so any more.
    mutating func isSilent(_ person: Int, _ member: MemberNumber, _ id: Int, _ other: Int?) -> Int? {
        guard let session = sessions[person][member], session.id == id, session.isHeard else { return nil }
        // It is heard again if both are there still.
        if let other, !isCut(person), !isCut(other), sessions[other].values.contains(where: { $0.id == session.other })
        {
            return nil
        }
        sessions[person][member]?.isHeard = false
        return session.number
    }

    private func ends(of person: Int, to session: Int) -> [End] {
        sessions[person].filter { $0.value.other == session }.map { member, far in
            End(person: person, member: member, session: far.id, number: far.number)
        }
    }
}
