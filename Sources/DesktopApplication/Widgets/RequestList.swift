import CGtk
import GLibKit
import Wording

/// Those who ask to become contacts, each with a yes and a no; nothing at all while nobody asks.
@MainActor final class RequestList {
    private let section: Widget
    private let onAnswer: @MainActor (RequestItem, Bool) -> Void
    private let rows: ItemRows<RequestItem, Row>

    /// Fills the given list box, which lies in `section`; `onAnswer` gets true for yes.
    init(list: Widget, section: Widget, onAnswer: @escaping @MainActor (RequestItem, Bool) -> Void) {
        self.section = section
        self.onAnswer = onAnswer
        rows = ItemRows(list)
    }

    /// Shows exactly these.
    func show(_ requests: [RequestItem]) {
        rows.show(requests, make: { _ in Row(onAnswer) }, fill: { $0.show($1) })
        section.isVisible = !requests.isEmpty
    }
}

/// Somebody who asks.
@MainActor private final class Row: ItemRow {
    private let template = Template("request-row")
    private let avatar: Avatar
    private var request: RequestItem?

    var root: Widget { template.root }

    init(_ onAnswer: @escaping @MainActor (RequestItem, Bool) -> Void) {
        avatar = Avatar(template["avatar"])
        for (button, answer) in [("accept_button", true), ("decline_button", false)] {
            template[button].connect("clicked") { [weak self] in
                if let request = self?.request { onAnswer(request, answer) }
            }
        }
    }

    func show(_ request: RequestItem) {
        self.request = request
        root.text = request.name
        avatar.show(name: request.name, picture: request.picture)
        let words = [request.shortDescription].compactMap(\.self) + request.labels.map(\.text)
        root[property: "subtitle"] = words.isEmpty ? tr("Wants to be a contact") : words.joined(separator: " · ")
        template["accept_button"].describe(tr("Accept %s", request.name))
        template["decline_button"].describe(tr("Decline %s", request.name))
    }
}
