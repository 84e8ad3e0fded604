import CGtk
import GLibKit

/// A question or a message with a few answers, over a window.
@MainActor final class MessageDialog: Dialog {
    /// One answer.
    struct Response {
        /// How it looks.
        enum Style { case plain, suggested, destructive }

        let id: String
        let label: String
        var style = Style.plain
    }

    let window: DialogWindow
    private var root: Widget { window.root }
    private var onResponse: (@MainActor (String) -> Void)?
    private let closing: String?

    /// Prepares the dialog; `present` shows it.
    /// - Parameters:
    ///   - heading: The question.
    ///   - body: What the answers mean.
    ///   - child: More than text.
    ///   - responses: The answers; the first is given by closing the dialog.
    ///   - preferred: The answer that Return gives; nil for none.
    ///   - onResponse: Is told the id of the answer, once.
    init(
        over parent: Widget, heading: String, body: String = "", child: Widget? = nil, responses: [Response],
        preferred: String? = nil, onResponse: @escaping @MainActor (String) -> Void = { _ in }
    ) {
        let dialog = Widget(retaining: UnsafeMutableRawPointer(adw_message_dialog_new(parent.pointer(), heading, nil)))
        dialog[property: "body"] = body
        if let child { adw_message_dialog_set_extra_child(dialog.pointer(), child.pointer()) }
        for response in responses {
            adw_message_dialog_add_response(dialog.pointer(), response.id, response.label)
            let appearance =
                switch response.style {
                case .plain: ADW_RESPONSE_DEFAULT
                case .suggested: ADW_RESPONSE_SUGGESTED
                case .destructive: ADW_RESPONSE_DESTRUCTIVE
                }
            adw_message_dialog_set_response_appearance(dialog.pointer(), response.id, appearance)
        }
        if let close = responses.first { adw_message_dialog_set_close_response(dialog.pointer(), close.id) }
        self.onResponse = onResponse
        closing = responses.first?.id
        window = DialogWindow(dialog, over: parent, question: heading)
        // Last: a window forgets its default button when that is moved, as what `DialogWindow` puts its bar under (GTK 4.18).
        if let preferred { adw_message_dialog_set_default_response(dialog.pointer(), preferred) }
        dialog.connect("response") { [weak self] in
            if let id = $0.get(0, as: String.self) { self?.answer(id) }
        }
    }

    func gone() { giveUp() }

    /// Answers as closing the dialog does, if there was no answer: its window went with the one below it.
    func giveUp() { if let closing { answer(closing) } }

    private func answer(_ id: String) {
        guard let onResponse else { return }
        self.onResponse = nil
        onResponse(id)
    }

    /// Whether an answer can be given now.
    func setEnabled(_ response: String, _ isEnabled: Bool) {
        adw_message_dialog_set_response_enabled(root.pointer(), response, isEnabled ? 1 : 0)
    }
}
