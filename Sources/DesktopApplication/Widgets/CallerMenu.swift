import CGtk
import GLibKit
import Wording

/// The menu of a call that comes in: what is seldom wanted, behind two clicks.
@MainActor final class CallerMenu {
    private let menu = Object(adopting: UnsafeMutableRawPointer(g_menu_new()))
    private var label: String?

    private static let replies: [(QuickReply, CallActions.Name)] = [
        (.callBack, .declineAndCallBack), (.callLater, .declineForNow), (.comingSoon, .declineComingSoon),
    ]

    /// Takes charge of a menu button.
    init(_ button: Widget) {
        button.describe(tr("More about this call"))
        gtk_menu_button_set_menu_model(button.pointer(), menu.pointer())
        button.nameMenuItems()
    }

    /// Shows what can be done about this person; nil names nobody.
    func show(name: String?) {
        let label = name.map { tr("_Block %s", MenuText.withoutKeys($0)) } ?? tr("_Block this person")
        // An open menu stays as it is.
        guard label != self.label else { return }
        self.label = label
        g_menu_remove_all(menu.pointer())
        let replies = Object(adopting: UnsafeMutableRawPointer(g_menu_new()))
        for (reply, action) in Self.replies {
            g_menu_append(replies.pointer(), MenuText.withoutKeys(reply.sentence), "call." + action.rawValue)
        }
        g_menu_append(
            replies.pointer(), tr("_Write Something Else…"), "call." + CallActions.Name.declineAndWrite.rawValue)
        g_menu_append_submenu(menu.pointer(), tr("_Decline with a Message"), replies.pointer())
        let section = Object(adopting: UnsafeMutableRawPointer(g_menu_new()))
        g_menu_append(section.pointer(), label, "call.block")
        g_menu_append_section(menu.pointer(), nil, section.pointer())
    }
}
