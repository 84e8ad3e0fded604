import BaseKit
import CGtk
import GLibKit

/// Takes header, controls and pointer off the picture of a call while nobody moves anything (``ControlShade``). Screen readers go on seeing
/// them.
@MainActor final class ShadedControls {
    private let page: Widget
    private let controls: [Widget]
    private var shade = ControlShade(at: .now)
    private var pointer: (x: Double, y: Double)?
    /// Whether the person has moved the focus by keys and not used the pointer since. Whether the focus is seen says less: GTK hides it 3 s
    /// after the last key.
    private var isByKeyboard = false
    private static let moves = [
        GDK_KEY_Tab, GDK_KEY_KP_Tab, GDK_KEY_ISO_Left_Tab, GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Up, GDK_KEY_Down,
        GDK_KEY_KP_Left, GDK_KEY_KP_Right, GDK_KEY_KP_Up, GDK_KEY_KP_Down,
    ]
    private var waiting: Task<Void, Never>?

    /// Takes charge of `controls`, which lie over `page`.
    init(_ controls: [Widget], on page: Widget) {
        (self.controls, self.page) = (controls, page)
        let motion = Object(adopting: UnsafeMutableRawPointer(gtk_event_controller_motion_new()))
        for name in ["enter", "motion"] {
            motion.connect(name) { [weak self] arguments in
                guard let x = arguments.get(0, as: Double.self), let y = arguments.get(1, as: Double.self) else {
                    return
                }
                self?.moved(to: (x, y))
            }
        }
        let keys = Object(adopting: UnsafeMutableRawPointer(gtk_event_controller_key_new()))
        keys.connect("key-pressed", returning: Bool.self) { [weak self] arguments in
            self?.pressed(arguments)
            return false
        }
        let touch = Object(adopting: UnsafeMutableRawPointer(gtk_gesture_click_new()))
        touch.connect("pressed") { [weak self] in
            self?.isByKeyboard = false
            self?.noteActivity()
        }
        for controller in [motion, keys, touch] {
            gtk_event_controller_set_propagation_phase(controller.pointer(), GTK_PHASE_CAPTURE)
            g_object_ref(controller.raw)  // the page takes a reference over
            gtk_widget_add_controller(page.pointer(), controller.pointer())
        }
    }

    isolated deinit { waiting?.cancel() }

    /// Whether there is a picture under them to be seen. Without one they stay.
    func setPicture(_ isShown: Bool) {
        shade.setPicture(isShown, at: .now)
        update()
    }

    /// GTK tells of a motion also when something else moved under the pointer.
    private func moved(to place: (x: Double, y: Double)) {
        guard pointer.map({ $0 != place }) ?? true else { return }
        pointer = place
        isByKeyboard = false
        noteActivity()
    }

    /// A key that moves the focus leaves it where the person wants it; the focus that they have found there is no reason to keep anything.
    private func pressed(_ arguments: SignalArguments) {
        let others = GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue
        if let key = arguments.get(0, as: UInt32.self), Self.moves.contains(Int32(bitPattern: key)),
            (arguments.get(2, as: UInt32.self) ?? 0) & others == 0
        {
            isByKeyboard = true
        }
        noteActivity()
    }

    private func noteActivity() {
        shade.noteActivity(at: .now)
        update()
    }

    private func update() {
        page.setClass("shaded", shade.isDrawn)
        for widget in controls { gtk_widget_set_can_target(widget.pointer(), shade.isDrawn ? 0 : 1) }
        gtk_widget_set_cursor_from_name(page.pointer(), shade.isDrawn ? "none" : nil)
        guard waiting == nil, let due = shade.due else { return }
        waiting = Task { [weak self] in
            try? await Task.sleep(for: max(due - .now, .zero))
            guard !Task.isCancelled else { return }
            self?.look()
        }
    }

    private func look() {
        waiting = nil
        shade.look(at: .now, isKept: isKept)
        update()
    }

    /// Whether the person is at one of them by keyboard, or one of their menus is open.
    private var isKept: Bool {
        guard let root = gtk_widget_get_root(page.pointer()), let focus = gtk_root_get_focus(root),
            controls.contains(where: { gtk_widget_is_ancestor(focus, $0.pointer()) != 0 })
        else { return false }
        return isByKeyboard || gtk_widget_get_ancestor(focus, gtk_popover_get_type()) != nil
    }
}
