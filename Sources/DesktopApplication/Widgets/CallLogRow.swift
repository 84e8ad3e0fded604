import CGtk
import GLibKit
import Parley
import Wording

/// What a person can ask for at a call of the log.
enum CallLogWish: Equatable {
    /// Call who it was with, or all who were in it.
    case call(CallKind)
    /// Come back into the call, which goes on.
    case comeBack
    case details, delete
}

/// A row of the log, which is used for one call after the other: the heading of a day, or a call.
@MainActor final class CallLogRow {
    /// The widget for the list.
    let root: Widget
    /// The call that is shown; nil for a heading.
    private(set) var call: LoggedCall?
    private let template = Template("call-log-row")
    private let actions: ActionGroup
    private var menu: ContextMenu?

    /// Makes a row that shows nothing yet; `onWish` is told what the person wants of the call.
    init(onWish: @escaping @MainActor (LoggedCall, CallLogWish) -> Void) {
        root = template.root
        actions = ActionGroup("entry", in: root)
        let ask: @MainActor (CallLogWish) -> Void = { [weak self] wish in
            if let call = self?.call { onWish(call, wish) }
        }
        template["audio_button"].connect("clicked") { ask(.call(.audio)) }
        template["video_button"].connect("clicked") { ask(.call(.video)) }
        template["back_button"].connect("clicked") { ask(.comeBack) }
        actions.add("call-all") { ask(.call(.audio)) }
        actions.add("video-call-all") { ask(.call(.video)) }
        actions.add("come-back") { ask(.comeBack) }
        actions.add("details") { ask(.details) }
        actions.add("delete") { ask(.delete) }
        template["menu_button"].nameMenuItems()
        menu = ContextMenu(on: root, of: template["menu_button"]) { [weak self] in self?.call != nil }
    }

    /// Opens the menu of the call that is shown.
    func openMenu() { menu?.open() }

    /// Shows the heading of a day.
    func show(heading: String) {
        menu?.close()
        call = nil
        template["heading"].text = heading
        template["heading"].isVisible = true
        template["call"].isVisible = false
    }

    /// Shows a call.
    func show(_ call: LoggedCall, _ shown: CallLogPresentation) {
        if call.id != self.call?.id { menu?.close() }
        self.call = call
        template["heading"].isVisible = false
        template["call"].isVisible = true
        template["direction"][property: "icon-name"] = shown.icon
        template["name"].text = shown.name
        template["subtitle"].text = shown.subtitle
        for widget in ["direction", "name"] { template[widget].setClass("error", shown.isMissed) }
        template["call"].setAccessibleLabel(shown.sentence)
        for button in ["audio_button", "video_button"] { template[button].isVisible = shown.again.canCall }
        template["audio_button"].describe(shown.again.audioLabel)
        template["video_button"].describe(shown.again.videoLabel)
        template["back_button"].isVisible = shown.again == .comeBack
        template["back_button"].setAccessibleLabel(tr("Come back into the call with %s", shown.name))
        for action in ["call-all", "video-call-all"] { actions.set(action, shown.again.isTogether) }
        actions.set("come-back", shown.again == .comeBack)
        template["menu_button"].describe(tr("Menu for %s", shown.sentence))
    }
}
