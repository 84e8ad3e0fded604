import CGtk
import GLibKit
import Wording

/// The row in which a person looks at their own camera, and their picture below it. The camera is open while the switch is on and the
/// row is seen.
@MainActor final class CameraTestRow {
    private let template: Template
    private let provider: any DeviceProvider
    private let say: @MainActor (String) -> Void
    private let paintable = VideoPaintable(mirrored: true)
    private var looking: Task<Void, Never>?

    /// Fills the widgets of a template; `say` shows what is wrong.
    init(_ template: Template, provider: any DeviceProvider, say: @escaping @MainActor (String) -> Void) {
        (self.template, self.provider, self.say) = (template, provider, say)
        gtk_picture_set_paintable(template["self_view"].pointer(), paintable.object.pointer())
        paintable.onPictureChange = { [weak self] in
            guard let self else { return }
            self.template["self_view_row"].isVisible = paintable.hasPicture
        }
        template["camera_switch"].connect("notify::active") { [weak self] in self?.switched() }
        // Nobody looks any more: the camera is closed.
        template["camera_test_row"].connect("unmap") { [weak self] in self?.stop() }
    }

    isolated deinit { looking?.cancel() }

    /// Says whether the camera may be tried: in a call it is seen there.
    func setUsable(_ isUsable: Bool) {
        if !isUsable { stop() }
        template["camera_test_row"].isSensitive = isUsable
    }

    private func switched() {
        guard template["camera_switch"][property: "active"] ?? false else { return stop() }
        guard looking == nil else { return }
        say("")
        looking = Task { [weak self, provider] in
            do {
                let trial = try await provider.testCamera()
                if !Task.isCancelled { self?.paintable.attach(trial.picture) }
                for await notice in trial.notices where !Task.isCancelled { self?.say(notice.sentence) }
            } catch {
                if !Task.isCancelled { self?.say(sentence(of: error)) }
            }
        }
    }

    private func stop() {
        looking?.cancel()
        looking = nil
        paintable.attach(nil)
        template["self_view_row"].isVisible = false
        if template["camera_switch"][property: "active"] ?? false {
            template["camera_switch"][property: "active"] = false
        }
    }
}
