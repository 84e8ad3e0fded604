import CGtk
import GLibKit
import Parley
import Wording

/// The welcome as a page of the main window: four steps with Back and Continue.
@MainActor final class WelcomeView {
    /// What it needs of an account.
    typealias Provider = any DeviceProvider & RingProvider & ReachProvider & ProfileProvider

    /// What it asks of the program.
    struct Requests {
        /// To make the profile and open it.
        var begin: @MainActor (OwnProfile?) -> Void
        /// To bring a profile from another machine in place of a new one.
        var bring: @MainActor () -> Void
        /// To go over to the contacts.
        var finish: @MainActor () -> Void
    }

    /// The page.
    let root: Widget
    private let template = Template("welcome")
    private let provider: Provider
    private let requests: Requests
    private let actions: ActionGroup
    private let mark: WaitingMark
    private var picture: PicturePicker?
    private var devices: DevicesGroup?
    private var reach: ReachView?
    private var steps = WelcomeSteps()

    /// Makes the page. Nothing is opened or made before the person goes on.
    init(_ provider: Provider, requests: Requests) {
        root = template.root
        self.provider = provider
        self.requests = requests
        actions = ActionGroup("welcome", in: template.root)
        mark = WaitingMark(template["opening_mark"])
        picture = PicturePicker(template) { [weak self] in self?.say($0) }
        picture?.onChange = { [weak self] in self?.changed() }
        actions.add("back") { [weak self] in self?.goBack() }
        for key in ["Escape", "<Alt>Left"] { root.addKey(key, starting: "welcome.back") }
        template["name_entry"].connect("changed") { [weak self] in self?.changed() }
        template["name_entry"].connect("entry-activated") { [weak self] in self?.goOn() }
        template["bring_button"].connect("clicked") { [weak self] in self?.requests.bring() }
        template["back_button"].connect("clicked") { [weak self] in self?.goBack() }
        template["skip_button"].connect("clicked") { [weak self] in self?.skip() }
        template["continue_button"].connect("clicked") { [weak self] in self?.goOn() }
        show()
    }

    /// Where the focus goes when the page is shown.
    var rest: Widget { template["name_entry"] }

    /// Says whether there are other profiles, to which the person can turn instead.
    func setHasOthers(_ hasOthers: Bool) { template["profiles_button"].isVisible = hasOthers }

    /// The profile has been opened.
    func accountIsOpen() {
        steps.opened()
        if devices == nil {
            let devices = DevicesGroup(provider: provider) { nil }
            devices.onUse = { [weak self] in
                self?.steps.hasTriedDevices = true
                self?.show()
            }
            adw_preferences_group_add(template["devices_place"].pointer(), devices.root.pointer())
            self.devices = devices
            let reach = ReachView(provider) { [weak self] in
                self?.steps.isReachable = $0.extent != .thisMachine
                self?.show()
            }
            gtk_widget_set_vexpand(reach.root.pointer(), 1)
            gtk_box_append(template["reach_place"].pointer(), reach.root.pointer())
            self.reach = reach
        }
        let hadFocus = steps.step == .calls && !template["continue_button"].isSensitive
        show()
        if hadFocus { focus() }
    }

    /// Shows what the file of a picture becomes.
    func setPicture(_ path: String) { picture?.set(path) }

    private func changed() {
        steps.person.displayName = template["name_entry"].text.trimmed
        steps.person.picture = picture?.picture
        picture?.name = steps.person.displayName
        say("")
        show()
    }

    private func goOn() { perform { $0.goOn() } }

    private func skip() { perform { $0.skip() } }

    private func goBack() {
        perform {
            $0.goBack()
            return nil
        }
    }

    private func perform(_ body: (inout WelcomeSteps) -> WelcomeSteps.Effect?) {
        let before = steps.step
        let effect = body(&steps)
        show()
        if steps.step != before { focus() }
        switch effect {
        case .begin(let person): requests.begin(person)
        case .change(let person): change(person)
        case .finish: requests.finish()
        case nil: break
        }
    }

    private func change(_ person: OwnProfile) {
        Task {
            do {
                try await provider.setOwnProfile(person)
            } catch {
                say(sentence(of: error))
            }
        }
    }

    private func show() {
        let step = steps.step
        template["title"][property: "title"] = Self.title(of: step)
        template["title"][property: "subtitle"] = tr(
            "Step %1$s of %2$s", step.number, WelcomeSteps.Step.allCases.count)
        template["steps"].showPage(step.rawValue)
        template["back_button"].isVisible = steps.canGoBack
        template["bring_button"].isVisible = steps.isNew
        template["skip_button"].isVisible = steps.canSkip
        template["continue_button"].isSensitive = steps.canGoOn
        template["continue_button"].text =
            steps.goesOnWithoutDoing ? tr("Skip") : step == .reach ? tr("Done") : tr("Continue")
        mark.show(steps.isWaiting)
    }

    private func focus() {
        let target = steps.step == .person ? template["name_entry"] : template["continue_button"]
        gtk_widget_grab_focus(target.pointer())
    }

    private static func title(of step: WelcomeSteps.Step) -> String {
        switch step {
        case .person, .calls: tr("Welcome to Parley")
        case .devices: tr("Your Devices")
        case .reach: tr("Reaching You")
        }
    }

    private func say(_ sentence: String) {
        template["error"].text = sentence
        template["error"].isVisible = !sentence.isEmpty
    }
}
