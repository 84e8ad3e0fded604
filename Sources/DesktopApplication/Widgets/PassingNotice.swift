import CGtk
import GLibKit

/// A sentence that goes after a while, at a place where it covers no button; it may have a button of its own.
@MainActor final class PassingNotice {
    /// Long enough for a sentence that a screen reader has to get to as well.
    static let duration = Duration.seconds(10)

    private let box: Widget
    private let label: Widget
    private let button: Widget
    private var waiting: Task<Void, Never>?
    private var onPress: @MainActor () -> Void = {}

    /// Takes charge of the main window's hidden notice.
    init(_ template: Template) {
        (box, label, button) = (template["call_toast"], template["call_toast_label"], template["call_toast_button"])
        button.connect("clicked") { [weak self] in
            guard let self else { return }
            let body = onPress
            hide()
            body()
        }
    }

    /// Shows a sentence, in place of the one before.
    func show(_ sentence: String) { show(sentence, button: nil) {} }

    /// Shows a sentence with a button that does something about it, in place of the one before.
    func show(_ sentence: String, button text: String?, onPress: @escaping @MainActor () -> Void) {
        waiting?.cancel()
        label.text = sentence
        button.text = text ?? ""
        button.isVisible = text != nil
        // Without a button it lets through what is pressed below it.
        gtk_widget_set_can_target(box.pointer(), text == nil ? 0 : 1)
        self.onPress = onPress
        box.isVisible = true
        waiting = Task { [weak self] in
            try? await Task.sleep(for: Self.duration)
            if !Task.isCancelled { self?.hide() }
        }
    }

    /// Takes the sentence away.
    func hide() {
        waiting?.cancel()
        box.isVisible = false
        onPress = {}
    }
}
