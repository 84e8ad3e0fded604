import CGtk
import GLibKit
import MediaRules
import Wording

/// The menu of a call's devices: one of each kind is chosen.
@MainActor final class DeviceMenu {
    /// Told which device the person chooses.
    typealias Choice = @MainActor (MediaDevice, DeviceKind) -> Void

    private let menu = Object(adopting: UnsafeMutableRawPointer(g_menu_new()))
    private let actions: ActionGroup
    private var content: DeviceMenuContent?

    /// Takes charge of a menu button.
    init(_ button: Widget, onChoice: @escaping Choice) {
        actions = ActionGroup("devices", in: button)
        for kind in DeviceKind.allCases {
            actions.addChoice(kind.rawValue) { [weak self] id in
                let section = self?.content?.sections.first { $0.kind == kind }
                guard let section, id != section.used, let device = section.devices.first(where: { $0.id == id })
                else { return }
                onChoice(device, kind)
            }
        }
        button.describe(tr("Camera, microphone and speaker"))
        gtk_menu_button_set_menu_model(button.pointer(), menu.pointer())
        button.nameMenuItems()
        show(DeviceMenuContent(MediaDevices(), inUse: DevicesInUse()))
    }

    /// Shows what there is and what is in use.
    func show(_ content: DeviceMenuContent) {
        let isOther = content.sections.map(\.devices) != self.content?.sections.map(\.devices)
        self.content = content
        // An open menu stays as it is unless there is another device.
        if isOther { fill(content) }
        for section in content.sections { actions.show(section.used, of: section.kind.rawValue) }
    }

    private func fill(_ content: DeviceMenuContent) {
        g_menu_remove_all(menu.pointer())
        for section in content.sections {
            let part = Object(adopting: UnsafeMutableRawPointer(g_menu_new()))
            for device in section.devices {
                let label = MenuText.withoutKeys(device.name)
                let item = Object(adopting: UnsafeMutableRawPointer(g_menu_item_new(label, nil)))
                g_menu_item_set_action_and_target_value(
                    item.pointer(), "devices.\(section.kind.rawValue)", g_variant_new_string(device.id))
                g_menu_append_item(part.pointer(), item.pointer())
            }
            g_menu_append_section(menu.pointer(), section.kind.title, part.pointer())
        }
        let last = Object(adopting: UnsafeMutableRawPointer(g_menu_new()))
        g_menu_append(last.pointer(), tr("_Preferences"), "app.preferences")
        g_menu_append_section(menu.pointer(), nil, last.pointer())
    }
}
