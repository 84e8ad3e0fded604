import CGtk
import GLibKit

/// What every window over the main one has in common: it blocks nothing else, closes by Escape and Control+W, knows the
/// application's keys, and has a bar at its lower edge for a call that rings meanwhile.
@MainActor final class DialogWindow {
    /// The window.
    let root: Widget
    /// Shown while a call rings; hidden otherwise.
    let ringingBar = RingingBar()
    /// Called once the window is closed.
    var onClose: @MainActor () -> Void = {}
    private(set) var isOpen = true
    /// Nothing lies over a window that has gone.
    private var below: SignalConnection?

    /// Prepares a window whose content is there already, to lie over another one.
    /// - Parameter question: What it asks, if that is all there is to it; other windows are named by their titles.
    init(_ root: Widget, over parent: Widget, question: String? = nil) {
        self.root = root
        // GTK calls every window one of an application, and knows a question by no name.
        root[property: "accessible-role"] = question == nil ? "dialog" : "alert-dialog"
        if let question { root.setAccessibleLabel(question) }
        gtk_window_set_modal(root.pointer(), 0)
        gtk_window_set_transient_for(root.pointer(), parent.pointer())
        gtk_window_set_application(root.pointer(), gtk_window_get_application(parent.pointer()))
        addBar()
        for key in ["Escape", "<Control>w"] { root.addKey(key, starting: "window.close") }
        // Not `destroy`, which waits for the last reference.
        root.connect("unrealize") { [weak self] in self?.closed() }
        below = parent.connect("unrealize") { [weak self] in self?.destroy() }
    }

    /// Shows the window, or brings it to the front.
    func present() { gtk_window_present(root.pointer()) }

    /// Closes the window as a person would.
    func close() { if isOpen { gtk_window_close(root.pointer()) } }

    /// Takes the window away without an answer, as when what it asks has gone.
    func destroy() { if isOpen { gtk_window_destroy(root.pointer()) } }

    private func closed() {
        guard isOpen else { return }
        isOpen = false
        below?.disconnect()
        // A question of libadwaita 1.2's looks at the window below once more when its last reference goes.
        gtk_window_set_transient_for(root.pointer(), nil)
        onClose()
    }

    /// Puts the bar below the content, where it moves nothing that is about to be clicked.
    private func addBar() {
        let box = Widget(retaining: UnsafeMutableRawPointer(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)))
        let isAdwaita = root.isA(adw_window_get_type())
        let content = isAdwaita ? adw_window_get_content(root.pointer()) : gtk_window_get_child(root.pointer())
        if let content {
            let kept = Widget(retaining: UnsafeMutableRawPointer(content))
            if isAdwaita {
                adw_window_set_content(root.pointer(), nil)
            } else {
                gtk_window_set_child(root.pointer(), nil)
            }
            gtk_widget_set_vexpand(kept.pointer(), 1)
            gtk_box_append(box.pointer(), kept.pointer())
        }
        gtk_box_append(box.pointer(), ringingBar.root.pointer())
        if isAdwaita {
            adw_window_set_content(root.pointer(), box.pointer())
        } else {
            gtk_window_set_child(root.pointer(), box.pointer())
        }
    }
}

/// Something that a person sees as a window over the main one.
@MainActor protocol Dialog: AnyObject {
    /// Its window.
    var window: DialogWindow { get }
    /// The window has gone, however; an answer that a person gave has been told.
    func gone()
}

extension Dialog {
    func gone() {}
}

extension DialogWindow: Dialog {
    var window: DialogWindow { self }
}
