import MediaRules
import Parley

/// Lets all profiles use the devices and the ring that the person has chosen in one of them.
@MainActor final class DeviceSharing {
    private let profiles: Profiles
    private var copying: Task<Void, Never>?
    /// The profiles that are given another's choices now: what is heard of them then is no choice of the person's.
    private var taking: Set<Int> = []

    /// Shares among the profiles that are open.
    init(_ profiles: Profiles) { self.profiles = profiles }

    /// The person has chosen in this profile.
    func chosen(in profile: OpenProfile) {
        guard !taking.contains(profile.id) else { return }
        for other in profiles.all where other !== profile { copy(from: profile, to: other) }
    }

    /// A profile can be used from now on: what the one that is shown has, holds there, too.
    func ready(_ profile: OpenProfile) {
        let model = [profiles.shown] + profiles.all
        guard let other = model.first(where: { $0 !== profile && $0.opening.overview.opening == .done }) else { return }
        copy(from: other, to: profile)
    }

    private func copy(from profile: OpenProfile, to other: OpenProfile) {
        copying = Task { [copying] in
            await copying?.value
            let (from, to) = (profile.provider, other.provider)
            taking.insert(other.id)
            defer { taking.remove(other.id) }
            guard let wanted = from.deviceChoices(), let present = to.deviceChoices() else { return }
            // What can't be remembered is used still.
            for kind in DeviceKind.allCases where wanted[kind] != present[kind] {
                try? await to.choose(wanted[kind], as: kind)
            }
            if wanted.soundProcessing != present.soundProcessing {
                try? await to.setSoundProcessing(wanted.soundProcessing)
            }
            if wanted.pictures != present.pictures { try? await to.setPictures(wanted.pictures) }
            if let ring = from.ringChoices(), ring != to.ringChoices() { try? await to.setRing(ring) }
        }
    }
}
