import CGtk
import GLibKit

/// Shows that the program is at work: it turns for a while, then stands still. A picture that turns keeps the processor busy
/// as long as it is seen, 60 times a second, and what takes long may take for ever.
@MainActor final class WaitingMark {
    /// How long it turns.
    static let turning = Duration.seconds(10)

    private let box: Widget
    private let spinner = Widget(retaining: UnsafeMutableRawPointer(gtk_spinner_new()))
    private let still = Widget(
        retaining: UnsafeMutableRawPointer(gtk_image_new_from_icon_name("content-loading-symbolic")))
    private let turning: Duration
    private var stopping: Task<Void, Never>?

    /// Takes charge of an empty box, which says in its accessible label what is waited for.
    init(_ box: Widget, turning: Duration = WaitingMark.turning) {
        self.box = box
        self.turning = turning
        for part in [spinner, still] {
            gtk_widget_set_hexpand(part.pointer(), 1)
            gtk_box_append(box.pointer(), part.pointer())
        }
        show(false)
    }

    /// Whether something is waited for now.
    var isShown: Bool { box.isVisible }

    /// Whether something is waited for.
    func show(_ isWaiting: Bool) {
        guard isWaiting != box.isVisible || !isWaiting else { return }
        stopping?.cancel()
        box.isVisible = isWaiting
        turn(isWaiting)
        guard isWaiting else { return }
        stopping = Task { [weak self, turning] in
            try? await Task.sleep(for: turning)
            if !Task.isCancelled { self?.turn(false) }
        }
    }

    /// It stands still from the beginning where the person wants no animations.
    private func turn(_ wanted: Bool) {
        let isTurning = wanted && adw_get_enable_animations(box.pointer()) != 0
        spinner[property: "spinning"] = isTurning
        spinner.isVisible = isTurning
        still.isVisible = !isTurning
    }
}
