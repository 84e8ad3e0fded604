import CGtk
import GLibKit

/// The page of a call that comes in, and the page of one that has ended: avatar, name, one sentence, a few buttons.
@MainActor final class FaceView {
    /// The page.
    let root: Widget
    /// Where the focus rests until the person moves it: on nothing that a key would press.
    let rest: Widget
    private let avatar: Avatar
    private let name: Widget
    private let status: Widget
    private let length: Widget
    private let template: Template
    /// What else can be done about a call that comes in.
    private let menu: CallerMenu?
    /// The button that calls again, or comes back, once the call is over.
    private let again: Widget?
    private var pulse: Task<Void, Never>?

    /// Builds the page from `incoming-call` or `ended-call`.
    init(template file: String) {
        template = Template(file)
        root = template.root
        rest = template["rest"]
        avatar = Avatar(template["avatar"])
        name = template["name"]
        status = template["status"]
        length = template["length"]
        again = file == "ended-call" ? template["again_button"] : nil
        menu = file == "incoming-call" ? CallerMenu(template["more_button"]) : nil
    }

    /// Lets a key start an action while the focus is on one of the page's buttons.
    func addKey(_ key: String, starting action: String) { template["buttons"].addKey(key, starting: action) }

    /// Lets the ring around the avatar grow and shrink once a second, unless the person wants no animations.
    func setPulsing(_ isPulsing: Bool) {
        pulse?.cancel()
        rest.setClass("wide", false)
        guard isPulsing, adw_get_enable_animations(root.pointer()) != 0 else { return }
        pulse = Task { [weak self] in
            var isWide = false
            while true {
                try? await Task.sleep(for: .milliseconds(500))
                guard !Task.isCancelled, let self else { return }
                isWide.toggle()
                rest.setClass("wide", isWide)
            }
        }
    }

    /// Shows the state of the call, with or without the other person's name.
    func show(_ call: CallPresentation, showsName: Bool = true) {
        avatar.show(name: showsName ? call.name : "", picture: showsName ? call.picture : nil)
        name.text = showsName ? call.name : ApplicationIdentity.name
        menu?.show(name: showsName ? call.name : nil)
        status.text = showsName ? call.answerSentence : call.plainAnswerSentence
        length.text = call.length ?? ""
        length.isVisible = call.length != nil
        if let again, again[property: "tooltip-text"] != call.again {
            again.describe(call.again)
            template["again_caption"].text = call.again
        }
        template["labels"].text = call.labels ?? ""
        template["labels"].isVisible = showsName && call.labels != nil
        let labels = showsName ? call.labels : nil
        let state = showsName ? call.name + ", " + call.status : call.plainStatus
        let sentences = [state, labels, call.length].compactMap(\.self)
        rest.setAccessibleLabel(sentences.joined(separator: " "))
    }

    /// Shows or hides one of the page's buttons with its caption.
    func setShown(_ button: String, _ isShown: Bool) { template[button + "_box"].isVisible = isShown }
}
