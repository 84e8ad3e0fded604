import CGtk
import GLibKit
import Wording

/// Those who ask to become contacts, each with a yes and a no; nothing at all while nobody asks.
@MainActor final class RequestList {
    private let list: Widget
    private let section: Widget
    private let onAnswer: @MainActor (RequestItem, Bool) -> Void
    private var shown: [RequestItem] = []
    private var rows: [Widget] = []
    private var avatars: [Avatar] = []

    /// Fills the given list box, which lies in `section`; `onAnswer` gets true for yes.
    init(list: Widget, section: Widget, onAnswer: @escaping @MainActor (RequestItem, Bool) -> Void) {
        self.list = list
        self.section = section
        self.onAnswer = onAnswer
    }

    /// Shows exactly these.
    func show(_ requests: [RequestItem]) {
        guard requests != shown else { return }
        shown = requests
        for row in rows { gtk_list_box_remove(list.pointer(), row.pointer()) }
        avatars = []
        rows = requests.map(row)
        for row in rows { gtk_list_box_append(list.pointer(), row.pointer()) }
        section.isVisible = !requests.isEmpty
    }

    private func row(_ request: RequestItem) -> Widget {
        let template = Template("request-row")
        template.root.text = request.name
        let avatar = Avatar(template["avatar"])
        avatar.show(name: request.name, picture: request.picture)
        avatars.append(avatar)
        let words = [request.shortDescription].compactMap(\.self) + request.labels.map(\.text)
        if !words.isEmpty { template.root[property: "subtitle"] = words.joined(separator: " · ") }
        template["accept_button"].describe(tr("Accept %s", request.name))
        template["decline_button"].describe(tr("Decline %s", request.name))
        template["accept_button"].connect("clicked") { [onAnswer] in onAnswer(request, true) }
        template["decline_button"].connect("clicked") { [onAnswer] in onAnswer(request, false) }
        return template.root
    }
}
