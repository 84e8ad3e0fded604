import CGtk
import GLibKit

/// Lets the person talk while Space is held on the page of a call, if they want that and are muted (``PushToTalk``).
@MainActor final class TalkKey {
    /// Called when the person begins to talk, and when they stop.
    var onTalk: (Bool) -> Void = { _ in }
    private let page: Widget
    private let microphone: Widget
    private let situation: () -> PushToTalk.Situation
    private var rule = PushToTalk()

    /// Takes keys on `page`, which has the button `microphone`; `situation` is asked when the key goes down, and need not know where the focus
    /// is.
    init(on page: Widget, microphone: Widget, situation: @escaping () -> PushToTalk.Situation) {
        (self.page, self.microphone, self.situation) = (page, microphone, situation)
        let keys = Object(adopting: UnsafeMutableRawPointer(gtk_event_controller_key_new()))
        let focus = Object(adopting: UnsafeMutableRawPointer(gtk_event_controller_focus_new()))
        keys.connect("key-pressed", returning: Bool.self) { [weak self] arguments in
            guard let self, Self.isSpace(arguments) else { return false }
            return press()
        }
        keys.connect("key-released") { [weak self] arguments in
            if Self.isSpace(arguments) { self?.release() }
        }
        focus.connect("leave") { [weak self] in self?.release() }
        page.connect("unmap") { [weak self] in self?.release() }
        for controller in [keys, focus] {
            gtk_event_controller_set_propagation_phase(controller.pointer(), GTK_PHASE_CAPTURE)
            g_object_ref(controller.raw)  // the page takes a reference over
            gtk_widget_add_controller(page.pointer(), controller.pointer())
        }
    }

    /// Stops, as when the key comes up.
    func release() { if rule.release() { onTalk(false) } }

    private func press() -> Bool {
        var situation = situation()
        if let root = gtk_widget_get_root(page.pointer()), let focus = gtk_root_get_focus(root) {
            situation.isInMenu = gtk_widget_get_ancestor(focus, gtk_popover_get_type()) != nil
            situation.isAtMicrophone = focus == microphone.pointer()
        }
        let wasTalking = rule.isTalking
        let isTaken = rule.press(situation)
        if rule.isTalking, !wasTalking { onTalk(true) }
        return isTaken
    }

    private static func isSpace(_ arguments: SignalArguments) -> Bool {
        let key = arguments.get(0, as: UInt32.self).map { Int32(bitPattern: $0) }
        return key == GDK_KEY_space || key == GDK_KEY_KP_Space
    }
}
