import CGtk
import GLibKit
import Testing

@testable import DesktopApplication

/// The menus of rows, where they open.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class ContextMenuTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    /// A row of a contact in a window.
    @MainActor private func row(isTestCall: Bool = false) -> (row: ContactRow, window: Widget) {
        let contact = ContactItem(id: "a", name: "Ada", isTestCall: isTestCall, isConnected: true)
        let row = ContactRow(contact) { _, _ in }
        let list = Widget(retaining: UnsafeMutableRawPointer(gtk_list_box_new()))
        gtk_list_box_append(list.pointer(), row.root.pointer())
        return (row, window(list, width: 500, height: 300))
    }

    @MainActor private func press(_ row: Widget, x: Double, y: Double) throws {
        let controllers = gtk_widget_observe_controllers(row.pointer())
        defer { g_object_unref(UnsafeMutableRawPointer(controllers)) }
        for index in 0..<g_list_model_get_n_items(controllers) {
            guard let item = g_list_model_get_item(controllers, index) else { continue }
            let gesture = Object(adopting: item)
            let button = guint(GDK_BUTTON_SECONDARY)
            guard gesture.isA(gtk_gesture_click_get_type()),
                gtk_gesture_single_get_button(gesture.pointer()) == button
            else { continue }
            try gesture.emit("pressed", Int32(1), x, y)
        }
    }

    @MainActor private func menus(_ row: Widget) -> [Widget] {
        descendants(of: row).filter {
            $0.typeName == "GtkPopoverMenu" && gtk_widget_get_parent($0.pointer()) == row.pointer()
        }
    }

    @MainActor private func place(_ menu: Widget) -> [Int32] {
        var place = GdkRectangle()
        gtk_popover_get_pointing_to(menu.pointer(), &place)
        return [place.x, place.y, place.width, place.height]
    }

    @Test func `the secondary button opens the menu at the pointer`() throws {
        try onMain {
            let (row, window) = row()
            defer { gtk_window_destroy(window.pointer()) }
            try press(row.root, x: 123, y: 17)
            #expect(menus(row.root).map(place) == [[123, 17, 1, 1]])
            try press(row.root, x: 40, y: 20)
            #expect(menus(row.root).map(place) == [[40, 20, 1, 1]], "the one before goes")
        }
    }

    @Test func `the menu key opens the menu at the row`() throws {
        onMain {
            let (row, window) = row()
            defer { gtk_window_destroy(window.pointer()) }
            gtk_widget_activate_action_variant(row.root.pointer(), "contact.menu", nil)
            let (width, height) = (
                gtk_widget_get_width(row.root.pointer()), gtk_widget_get_height(row.root.pointer())
            )
            #expect(menus(row.root).map(place) == [[0, 0, width, height]])
        }
    }

    @Test func `a menu that is closed goes`() throws {
        try onMain {
            let (row, window) = row()
            defer { gtk_window_destroy(window.pointer()) }
            try press(row.root, x: 1, y: 1)
            gtk_popover_popdown(try #require(menus(row.root).first).pointer())
            wait(for: "the menu to go") { menus(row.root).isEmpty }
        }
    }

    @Test func `where there is no menu, none opens`() throws {
        try onMain {
            let (row, window) = row()
            defer { gtk_window_destroy(window.pointer()) }
            row.setSelecting(true)
            try press(row.root, x: 1, y: 1)
            #expect(menus(row.root).count == 0)
        }
    }
}
