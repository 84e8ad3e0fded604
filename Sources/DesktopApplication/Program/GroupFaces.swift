import BaseKit
import Calling
import Signaling

/// The others in the call of several in front: their pictures, how loud they speak, and where their tiles are.
@MainActor final class GroupFaces {
    /// One of them.
    @MainActor private final class Face {
        let picture = VideoPaintable(mirrored: false)
        var isAttached = false
        var looking: Task<Void, Never>?
        var listening: Task<Void, Never>?

        func end() {
            looking?.cancel()
            listening?.cancel()
            picture.attach(nil)
        }
    }

    /// Called when there is something else to show.
    var onChange: () -> Void = {}
    /// Called with how loud somebody speaks, from 0 to 3.
    var onSpeaking: (MemberNumber, Int) -> Void = { _, _ in }

    private var faces: [MemberNumber: Face] = [:]
    private var layout = GroupLayout()
    /// How loud each is now.
    private var steps: [MemberNumber: Int] = [:]
    private var active = ActiveSpeaker()
    /// Who speaks, or did last.
    private var speaker: MemberNumber?
    private var listening: Task<Void, Never>?
    /// Who is seen in some window; nil: all.
    private var seen: Set<MemberNumber>?

    /// How often it is looked who speaks, while anybody does.
    private static let lookInterval = Duration.milliseconds(250)

    /// Somebody's picture; nil for who is not there.
    func picture(of member: MemberNumber) -> VideoPaintable? { faces[member]?.picture }

    /// Takes who is in the call now.
    func follow(_ session: any GroupCallSession, _ group: GroupSnapshot) {
        let heard = group.members.filter { $0.isHeard && !$0.isUntrusted }
        for (number, face) in faces where !heard.contains(where: { $0.id == number }) {
            face.end()
            faces[number] = nil
            steps[number] = nil
            active.forget(number)
        }
        for member in heard {
            let face = faces[member.id] ?? makeFace(of: member.id)
            if !face.isAttached, face.looking == nil { attach(face, member.id, session) }
            if !member.hasPicture { face.picture.clear() }
        }
    }

    /// There is no call of several in front any more.
    func leave() {
        for face in faces.values { face.end() }
        listening?.cancel()
        (faces, steps, listening, speaker) = ([:], [:], nil, nil)
        (layout, active, seen) = (GroupLayout(), ActiveSpeaker(), nil)
    }

    /// Says who is seen in the window that is there: of others no pictures need to come.
    func setSeen(_ members: Set<MemberNumber>) {
        seen = members
        for (number, face) in faces { face.picture.isSeen = members.contains(number) }
    }

    /// Shows somebody large, or no longer if that is who is pinned.
    func pin(_ member: MemberNumber) {
        layout.pin(layout.pinned == .member(member) ? nil : .member(member))
        onChange()
    }

    /// Goes over from a grid to a screen or who speaks, large, or back from whoever is large to the grid.
    func toggleView() {
        layout.toggle()
        onChange()
    }

    /// What is shown of those in the call, and where.
    func surroundings(
        of group: GroupSnapshot, hasOwnPicture: Bool, contacts: [ContactItem]
    ) -> GroupPresentation.Surroundings {
        var there = group.members.filter(\.isThere).map {
            GroupLayout.Participant(
                member: $0.id, hasPicture: $0.isHeard && $0.hasPicture, hasScreen: $0.sharesScreen)
        }
        // Beside one other the own picture is small; among several it is one of theirs.
        if there.count > 1 { there.append(GroupLayout.Participant(member: group.own, hasPicture: hasOwnPicture)) }
        var pictures = Set(faces.filter { $0.value.picture.hasPicture }.keys)
        if hasOwnPicture { pictures.insert(group.own) }
        let arrangement = layout.arrange(there, speaker: speaker)
        var pinned: MemberNumber?
        if case .member(let member) = layout.pinned { pinned = member }
        return GroupPresentation.Surroundings(
            arrangement: arrangement, pinned: pinned, pictures: pictures, speaker: speaker, contacts: contacts)
    }

    private func hear(_ step: Int, of member: MemberNumber) {
        steps[member] = step
        onSpeaking(member, step)
        guard step > 0, listening == nil else { return }
        listening = Task { [weak self] in
            while let self, !Task.isCancelled, look() { try? await Task.sleep(for: Self.lookInterval) }
        }
    }

    /// Looks who speaks; says whether somebody does.
    private func look() -> Bool {
        // A step is told when it is another one, and holds until then.
        for (member, step) in steps { active.hear(step > 0 ? Double(step) - 40 : -127, of: member, at: .now) }
        if let current = active.current(at: .now), current != speaker {
            speaker = current
            onChange()
        }
        guard steps.values.allSatisfy({ $0 == 0 }) else { return true }
        listening = nil
        return false
    }

    private func makeFace(of member: MemberNumber) -> Face {
        let face = Face()
        face.picture.isSeen = seen?.contains(member) ?? true
        face.picture.onPictureChange = { [weak self] in self?.onChange() }
        faces[member] = face
        return face
    }

    private func attach(_ face: Face, _ member: MemberNumber, _ session: any GroupCallSession) {
        face.looking = Task { [weak self, weak face] in
            let source = await session.video(of: member)
            guard let face, !Task.isCancelled else { return }
            face.looking = nil
            guard let source else { return }
            face.isAttached = true
            face.picture.attach(source)
            face.listening = Task { [weak self] in
                for await step in await session.speakingSteps(of: member) where !Task.isCancelled {
                    self?.hear(step, of: member)
                }
            }
        }
    }
}
