import CGtk
import GLibKit
import MediaRules
import Wording

/// Asks whether the screen is to be shared, and whether with what programs play.
@MainActor enum ShareDialog {
    /// What the person wants.
    struct Choice: Equatable {
        var withSound: Bool
        var content: ScreenContent

        /// What a response of the dialog means; nil: nothing is to be shared.
        init?(response: String?, isMotion: Bool = false) {
            content = isMotion ? .motion : .text
            switch response {
            case "share": withSound = false
            case "share-sound": withSound = true
            default: return nil
            }
        }
    }

    /// Makes the question; `name` is who will see it, without it the others in a call of several. `onAnswer` gets nil when nothing is to be
    /// shared.
    static func make(
        over parent: Widget, name: String?, onAnswer: @escaping @MainActor (Choice?) -> Void
    ) -> MessageDialog {
        let motion = Widget(retaining: UnsafeMutableRawPointer(gtk_check_button_new_with_label(tr("Smooth motion"))))
        gtk_widget_set_halign(motion.pointer(), GTK_ALIGN_CENTER)
        motion[property: "tooltip-text"] = tr("For films: more pictures a second, which are smaller and less sharp")
        return MessageDialog(
            over: parent, heading: tr("Share your screen?"), body: body(name), child: motion, responses: responses,
            preferred: "share"
        ) { onAnswer(Choice(response: $0, isMotion: gtk_check_button_get_active(motion.pointer()) != 0)) }
    }

    private static func body(_ name: String?) -> String {
        guard let name else {
            return tr(
                "Everybody in the call sees what you choose next instead of your camera, until you stop, and hears what other programs play if you want."
            )
        }
        return tr(
            "%s sees what you choose next, until you stop, and hears what other programs play if you want.", name)
    }

    private static var responses: [MessageDialog.Response] {
        [
            .init(id: "cancel", label: tr("Cancel")), .init(id: "share-sound", label: tr("Share with system sound")),
            .init(id: "share", label: tr("Share without sound"), style: .suggested),
        ]
    }
}
