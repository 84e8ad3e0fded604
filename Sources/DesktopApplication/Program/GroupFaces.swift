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

    /// Somebody's picture; nil for who is not there.
    func picture(of member: MemberNumber) -> VideoPaintable? { faces[member]?.picture }

    /// Takes who is in the call now.
    func follow(_ session: any GroupCallSession, _ group: GroupSnapshot) {
        let heard = group.members.filter { $0.isHeard && !$0.isUntrusted }
        for (number, face) in faces where !heard.contains(where: { $0.id == number }) {
            face.end()
            faces[number] = nil
        }
        for member in heard {
            let face = faces[member.id] ?? makeFace(of: member.id)
            if !face.isAttached, face.looking == nil { attach(face, member.id, session) }
            if !member.camera { face.picture.clear() }
        }
    }

    /// There is no call of several in front any more.
    func leave() {
        for face in faces.values { face.end() }
        faces = [:]
        layout = GroupLayout()
    }

    /// What is shown of those in the call, and where.
    func surroundings(
        of group: GroupSnapshot, hasOwnPicture: Bool, contacts: [ContactItem]
    ) -> GroupPresentation.Surroundings {
        var there = group.members.filter(\.isThere).map {
            GroupLayout.Participant(member: $0.id, hasPicture: $0.isHeard && $0.camera)
        }
        // Beside one other the own picture is small; among several it is one of theirs.
        if there.count > 1 { there.append(GroupLayout.Participant(member: group.own, hasPicture: hasOwnPicture)) }
        var pictures = Set(faces.filter { $0.value.picture.hasPicture }.keys)
        if hasOwnPicture { pictures.insert(group.own) }
        return GroupPresentation.Surroundings(
            arrangement: layout.arrange(there, speaker: nil), pictures: pictures, contacts: contacts)
    }

    private func makeFace(of member: MemberNumber) -> Face {
        let face = Face()
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
                    self?.onSpeaking(member, step)
                }
            }
        }
    }
}
