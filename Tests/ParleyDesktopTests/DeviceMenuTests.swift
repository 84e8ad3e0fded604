import CGtk
import GLibKit
import MediaRules
import Testing

@testable import DesktopApplication

/// The menu of a call's devices.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class DeviceMenuTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.
    private let first = MediaDevice(id: "a", name: "Front_Camera")
    private let second = MediaDevice(id: "b", name: "Travel Camera")

    @Test func `only devices that the call uses are listed`() {
        onMain {
            let (button, menu, _) = made()
            menu.show(content([first, second], used: first))
            #expect(labels(button) == ["Front__Camera", "Travel Camera", "_Preferences"])
            menu.show(DeviceMenuContent(devices([first, second]), inUse: DevicesInUse()))
            #expect(labels(button) == ["_Preferences"])
        }
    }

    @Test func `the menu follows what is plugged in and out`() {
        onMain {
            let (button, menu, _) = made()
            menu.show(content([first], used: first))
            #expect(labels(button) == ["Front__Camera", "_Preferences"])
            menu.show(content([first, second], used: first))
            #expect(labels(button) == ["Front__Camera", "Travel Camera", "_Preferences"])
            menu.show(content([second], used: second))
            #expect(labels(button) == ["Travel Camera", "_Preferences"])
        }
    }

    @Test func `a choice is told, and what is in use is shown`() {
        onMain {
            let (button, menu, choices) = made()
            menu.show(content([first, second], used: first))
            #expect(choices.list == [], "what is shown is no choice")
            gtk_widget_activate_action_variant(button.pointer(), "devices.camera", g_variant_new_string("b"))
            #expect(choices.list == [second])
            menu.show(content([first, second], used: second))
            gtk_widget_activate_action_variant(button.pointer(), "devices.camera", g_variant_new_string("b"))
            #expect(choices.list == [second], "what is in use need not be chosen")
        }
    }

    @MainActor private final class Choices {
        var list: [MediaDevice] = []
    }

    @MainActor private func made() -> (button: Widget, menu: DeviceMenu, choices: Choices) {
        let button = Widget(retaining: UnsafeMutableRawPointer(gtk_menu_button_new()))
        let choices = Choices()
        return (button, DeviceMenu(button) { device, _ in choices.list.append(device) }, choices)
    }

    private func devices(_ cameras: [MediaDevice]) -> MediaDevices {
        var devices = MediaDevices()
        devices.cameras = cameras
        return devices
    }

    private func content(_ cameras: [MediaDevice], used: MediaDevice) -> DeviceMenuContent {
        var inUse = DevicesInUse()
        inUse.camera = used
        return DeviceMenuContent(devices(cameras), inUse: inUse)
    }

    /// The labels of all items in all sections.
    @MainActor private func labels(_ button: Widget) -> [String] {
        guard let menu = gtk_menu_button_get_menu_model(button.pointer()) else { return [] }
        return (0..<g_menu_model_get_n_items(menu)).flatMap { index -> [String] in
            guard let section = g_menu_model_get_item_link(menu, index, "section") else { return [] }
            defer { g_object_unref(section) }
            return (0..<g_menu_model_get_n_items(section)).compactMap { place in
                guard let value = g_menu_model_get_item_attribute_value(section, place, "label", nil) else {
                    return nil
                }
                defer { g_variant_unref(value) }
                return String(cString: g_variant_get_string(value, nil))
            }
        }
    }
}
