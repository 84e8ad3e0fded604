import CGtk
import GLibKit
import MediaRules
import Wording

/// The part of the preferences about how the own pictures are sent.
@MainActor final class PicturesGroup {
    private static let qualities = CameraQuality.allCases

    private let template: Template
    private let provider: any DeviceProvider
    private let say: @MainActor (String) -> Void
    private var isShowing = false

    /// Fills the widgets of the preferences' template; `say` shows what is wrong.
    init(_ template: Template, provider: any DeviceProvider, say: @escaping @MainActor (String) -> Void) {
        (self.template, self.provider, self.say) = (template, provider, say)
        let model = Object(adopting: UnsafeMutableRawPointer(gtk_string_list_new(nil)))
        for quality in Self.qualities { gtk_string_list_append(model.pointer(), Self.title(quality)) }
        adw_combo_row_set_model(template["picture_row"].pointer(), model.pointer())
        template["picture_row"].connect("notify::selected") { [weak self] in self?.changed() }
        template["data_switch"].connect("notify::active") { [weak self] in self?.changed() }
        show()
    }

    private static func title(_ quality: CameraQuality) -> String {
        switch quality {
        case .standard: tr("1280 × 720 pixels")
        case .high: tr("1920 × 1080 pixels")
        }
    }

    private func show() {
        guard let pictures = provider.deviceChoices()?.pictures else { return }
        isShowing = true
        defer { isShowing = false }
        let selected = Self.qualities.firstIndex(of: pictures.camera) ?? 0
        adw_combo_row_set_selected(template["picture_row"].pointer(), guint(selected))
        template["data_switch"][property: "active"] = pictures.savesData
        // So small as pictures are then, the camera's size makes no difference.
        template["picture_row"][property: "sensitive"] = !pictures.savesData
    }

    private func changed() {
        guard !isShowing, var pictures = provider.deviceChoices()?.pictures else { return }
        let selected = Int(adw_combo_row_get_selected(template["picture_row"].pointer()))
        if Self.qualities.indices.contains(selected) { pictures.camera = Self.qualities[selected] }
        pictures.savesData = template["data_switch"][property: "active"] ?? false
        let wanted = pictures
        Task { [provider] in
            do {
                try await provider.setPictures(wanted)
                say("")
            } catch {
                say(sentence(of: error))
            }
            show()
        }
    }
}
