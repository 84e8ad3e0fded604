import GLibKit
import Wording

/// A sentence for whoever does not see that something about a call has changed.
struct CallAnnouncement: Equatable {
    /// What has changed.
    let sentence: String
    /// Whether it is said in place of what is being said.
    var isUrgent = false

    /// What is to be said once a call stands otherwise, the first first. How long it lasts is never said by itself.
    /// - Parameters:
    ///   - former: How it stood before; nil for a call that is new.
    ///   - call: How it stands now.
    static func changes(from former: CallPresentation?, to call: CallPresentation) -> [CallAnnouncement] {
        var result: [CallAnnouncement] = []
        if let sentence = standing(from: former, to: call) {
            result.append(.init(sentence: sentence, isUrgent: call.screen != .call))
        }
        guard let former, former.screen == .call, call.screen == .call else { return result }
        let sentences =
            ownDevices(from: former, to: call) + others(from: former.group, to: call.group)
            + othersDevices(from: former, to: call)
            + call.notices.filter { !former.notices.contains($0) }
        return result + sentences.map { .init(sentence: $0) }
    }

    private static func standing(from former: CallPresentation?, to call: CallPresentation) -> String? {
        if let hold = call.holdSentence { return hold == former?.holdSentence ? nil : hold }
        guard call.standing != former?.standing || call.screen != former?.screen else { return nil }
        let sentence = call.screen == .incoming ? call.answerSentence : call.standing
        return [call.name + ", " + sentence, call.length].compactMap(\.self).joined(separator: " ")
    }

    private static func ownDevices(from former: CallPresentation, to call: CallPresentation) -> [String] {
        var result: [String] = []
        if former.controls.microphone.isTurnedOff != call.controls.microphone.isTurnedOff {
            result.append(call.controls.microphone.isTurnedOff ? tr("Microphone off") : tr("Microphone on"))
        }
        if former.controls.camera.isTurnedOff != call.controls.camera.isTurnedOff {
            result.append(call.controls.camera.isTurnedOff ? tr("Camera off") : tr("Camera on"))
        }
        // That it is off is among the notices.
        if former.controls.speaker.isTurnedOff, !call.controls.speaker.isTurnedOff {
            result.append(tr("Their sound is on"))
        }
        return result
    }

    /// Those in a call of several: who comes and goes, whose microphone is on, who raises a hand.
    private static func others(from former: GroupPresentation?, to group: GroupPresentation?) -> [String] {
        guard let former, let group else { return [] }
        var result: [String] = []
        // The person's own switches are said by themselves.
        for person in group.people.dropFirst() {
            let old = former.people.first { $0.id == person.id }
            if old?.stage != person.stage, let stage = person.stage {
                result.append(stage.sentence(naming: person.name))
            }
            guard let old, old.stage == person.stage else { continue }
            if old.isMuted != person.isMuted {
                result.append(
                    person.isMuted
                        ? tr("%s’s microphone is off", person.name) : tr("%s’s microphone is on", person.name))
            }
            if old.sharesScreen != person.sharesScreen {
                result.append(
                    person.sharesScreen
                        ? tr("%s shares a screen", person.name)
                        : tr("%s does not share a screen any more", person.name))
            }
            if !old.hasRaisedHand, person.hasRaisedHand { result.append(tr("%s raises a hand", person.name)) }
        }
        return result + [view(from: former, to: group)].compactMap(\.self)
    }

    /// Who of several is large now. That another one speaks is no news, and that somebody shares a screen was said by itself.
    private static func view(from former: GroupPresentation, to group: GroupPresentation) -> String? {
        let (old, new) = (former.tiles.first(where: \.isPinned), group.tiles.first(where: \.isPinned))
        if let new, new.id != old?.id { return tr("%s is pinned", new.name) }
        guard former.people.filter(\.sharesScreen).map(\.id) == group.people.filter(\.sharesScreen).map(\.id) else {
            return nil
        }
        if group.tiles.first?.showsScreen == true, group.layout.isSpotlight, !former.layout.isSpotlight {
            return tr("The shared screen is shown large")
        }
        guard group.view != nil, old != nil && new == nil || former.layout.isSpotlight != group.layout.isSpotlight
        else { return nil }
        return group.layout.isSpotlight
            ? tr("Whoever speaks is shown large") : tr("Everybody is shown at the same size")
    }

    /// Their camera, and whether their link carries its pictures.
    private static func peerPicture(from former: CallPresentation, to call: CallPresentation) -> String? {
        let old = former.peerPausedSentence ?? former.peerCameraSentence
        if let new = call.peerPausedSentence ?? call.peerCameraSentence { return new == old ? nil : new }
        guard old != nil, former.isFlowing else { return nil }
        return former.peerPausedSentence == nil
            ? tr("%s’s camera is on", call.name) : tr("%s’s picture goes on", call.name)
    }

    /// What both sides' programs and this system say of media, while they flow.
    private static func othersDevices(from former: CallPresentation, to call: CallPresentation) -> [String] {
        guard call.isFlowing else { return [] }
        let (name, wasFlowing) = (call.name, former.isFlowing)
        func change(_ old: String?, _ new: String?, over: String) -> String? {
            if let new { return new == old ? nil : new }
            return old != nil && wasFlowing ? over : nil
        }
        let isMuted = call.controls.microphone.isTurnedOff
        let screen = call.showsRemoteScreen ? tr("%s shares a screen", name) : nil
        let formerScreen = former.showsRemoteScreen ? tr("%s shares a screen", name) : nil
        return [
            change(former.peerMutedSentence, call.peerMutedSentence, over: tr("%s’s microphone is on", name)),
            peerPicture(from: former, to: call),
            change(formerScreen, screen, over: tr("%s does not share a screen any more", name)),
            change(former.sharingSentence, call.sharingSentence, over: tr("Your screen is not shared any more")),
            // Who turns their own microphone off has not changed what the system does.
            isMuted
                ? nil
                : change(
                    former.systemMuteSentence, call.systemMuteSentence,
                    over: tr("The microphone is not muted by the system any more")),
            call.clearSentence == former.clearSentence ? nil : call.clearSentence,
        ].compactMap(\.self)
    }
}
