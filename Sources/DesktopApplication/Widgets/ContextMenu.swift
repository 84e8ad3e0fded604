import CGtk
import GLibKit

/// The menu of a row where a person asks for it: at the pointer by the secondary button, where a finger stays, and at the row by the key for
/// menus. It is made when it opens and goes when it closes, so that a list keeps none.
@MainActor final class ContextMenu {
    private let row: Widget
    private let model: Object
    private let isOffered: @MainActor () -> Bool
    private var popover: Widget?

    /// Takes charge of a row's gestures. The menu is that of a menu button, whose items it shares; `isOffered` says whether it may open.
    init(on row: Widget, of button: Widget, isOffered: @escaping @MainActor () -> Bool) {
        self.row = row
        model = Object(retaining: UnsafeMutableRawPointer(gtk_menu_button_get_menu_model(button.pointer())!))
        self.isOffered = isOffered
        let click = Object(adopting: UnsafeMutableRawPointer(gtk_gesture_click_new()))
        gtk_gesture_single_set_button(click.pointer(), guint(GDK_BUTTON_SECONDARY))
        click.connect("pressed") { [weak self] in self?.open(at: Self.point($0, from: 1)) }
        let press = Object(adopting: UnsafeMutableRawPointer(gtk_gesture_long_press_new()))
        gtk_gesture_single_set_touch_only(press.pointer(), 1)
        press.connect("pressed") { [weak self] in self?.open(at: Self.point($0, from: 0)) }
        for gesture in [click, press] {
            g_object_ref(gesture.raw)  // the widget takes a reference over
            gtk_widget_add_controller(row.pointer(), gesture.pointer())
        }
    }

    isolated deinit { close() }

    /// Closes the menu, as when the row is about something else from now on.
    func close() {
        guard let popover else { return }
        self.popover = nil
        gtk_widget_unparent(popover.pointer())
    }

    /// Opens the menu at the row, as for somebody who uses the keyboard.
    func open() {
        let (width, height) = (gtk_widget_get_width(row.pointer()), gtk_widget_get_height(row.pointer()))
        open(at: GdkRectangle(x: 0, y: 0, width: width, height: height))
    }

    private static func point(_ arguments: SignalArguments, from index: Int) -> GdkRectangle {
        let x: Double = arguments.get(index) ?? 0
        let y: Double = arguments.get(index + 1) ?? 0
        return GdkRectangle(x: Int32(x), y: Int32(y), width: 1, height: 1)
    }

    private func open(at place: GdkRectangle) {
        guard isOffered() else { return }
        close()
        let popover = Widget(retaining: UnsafeMutableRawPointer(gtk_popover_menu_new_from_model(model.pointer())))
        self.popover = popover
        gtk_popover_set_has_arrow(popover.pointer(), 0)
        gtk_widget_set_halign(popover.pointer(), GTK_ALIGN_START)
        gtk_widget_set_parent(popover.pointer(), row.pointer())
        popover.nameItemsWhenShown()
        var place = place
        gtk_popover_set_pointing_to(popover.pointer(), &place)
        popover.connect("closed") { [weak self] in
            // What was chosen is done behind this, with the row's actions.
            Task { self?.removeClosed() }
        }
        gtk_popover_popup(popover.pointer())
    }

    private func removeClosed() {
        // Another one may be open by now.
        if let popover, gtk_widget_get_visible(popover.pointer()) == 0 { close() }
    }
}
