import CGtk
import GLibKit

/// A sentence that goes after a while, at a place where it covers no button.
@MainActor final class PassingNotice {
    /// Long enough for a sentence that a screen reader has to get to as well.
    static let duration = Duration.seconds(10)

    private let label: Widget
    private var waiting: Task<Void, Never>?

    /// Takes charge of a hidden label.
    init(_ label: Widget) { self.label = label }

    /// Shows a sentence, in place of the one before.
    func show(_ sentence: String) {
        waiting?.cancel()
        label.text = sentence
        label.isVisible = true
        waiting = Task { [weak self] in
            try? await Task.sleep(for: Self.duration)
            if !Task.isCancelled { self?.hide() }
        }
    }

    /// Takes the sentence away.
    func hide() {
        waiting?.cancel()
        label.isVisible = false
    }
}
