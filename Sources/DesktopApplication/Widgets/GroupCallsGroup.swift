import CGtk
import GLibKit
import Wording

/// The part of the preferences about calls of several people: whether they are made and taken.
@MainActor final class GroupCallsGroup {
    private let template: Template
    private let provider: any GroupCallProvider
    private var isOn = false
    private var isShowing = false
    /// Whether the person has chosen: what is read later does not take its place.
    private var hasChosen = false
    private var telling: Task<Void, Never>?

    /// Fills the widgets of the preferences' template.
    init(_ template: Template, provider: any GroupCallProvider) {
        self.template = template
        self.provider = provider
        template["groups_switch"].connect("notify::active") { [weak self] in self?.changed() }
        Task { [weak self] in
            let isOn = await provider.takesGroupCalls
            guard let self, !hasChosen else { return }
            show(isOn)
        }
    }

    private func show(_ isOn: Bool) {
        isShowing = true
        defer { isShowing = false }
        self.isOn = isOn
        template["groups_switch"][property: "active"] = isOn
    }

    private func changed() {
        let wanted: Bool = template["groups_switch"][property: "active"] ?? false
        guard !isShowing, wanted != isOn else { return }
        hasChosen = true
        isOn = wanted
        say("")
        // What was chosen last holds.
        telling = Task { [telling, provider, weak self] in
            await telling?.value
            do {
                try await provider.setTakesGroupCalls(wanted)
            } catch {
                self?.show(await provider.takesGroupCalls)
                self?.say(sentence(of: error))
            }
        }
    }

    private func say(_ sentence: String) {
        template["groups_error"].text = sentence
        template["groups_error"].isVisible = !sentence.isEmpty
    }
}
