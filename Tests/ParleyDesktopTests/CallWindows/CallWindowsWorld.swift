import CGtk
import GLibKit
import Notifications
import Portal

@testable import DesktopApplication

/// The windows of a program without an account, and what they ask for.
@MainActor final class CallWindowsWorld {
    private static var count = 0
    let application: Object
    let window: MainWindow
    let presenter = CallPresenter()
    let roster: CallRoster
    let dialogs = OpenDialogs()
    let windows: CallWindows
    private let reception: CallReception
    /// Whose calls ended behind others.
    private(set) var ended: [String] = []
    /// Whom the person has blocked.
    private(set) var blocked: [String] = []
    /// Whom the person wants to call.
    private(set) var wanted: [String] = []
    /// Is told whom the person invites to a call of several.
    var onInvite: (ContactItem) -> Void = { _ in }

    /// `notifier` tells of calls; without one nobody does.
    init(
        _ notifier: CallNotifier = CallNotifier(
            for: NotificationSender(name: "", desktopEntry: ""),
            openBus: { () async throws(PortalError) in throw .noBus("none for this test") }),
        timeToRead: Duration = CallWindows.timeToRead
    ) {
        Self.count += 1
        let id = "im.parley.Test\(Self.count)"
        application = Object(
            adopting: UnsafeMutableRawPointer(adw_application_new(id, G_APPLICATION_NON_UNIQUE)))
        g_application_register(application.pointer(), nil, nil)
        window = MainWindow.drawn(application)
        let notifications = CallNotifications(notifier: notifier)
        notifications.watch(application)
        roster = CallRoster(presenter)
        reception = CallReception(roster, notifications) {
            RingDecision(isHeard: true, urgency: .critical, opensWindow: false)
        }
        windows = CallWindows(
            application: application, dialogs: dialogs, presenter: presenter, onDevice: { _, _ in },
            timeToRead: timeToRead, onOpen: {})
        windows.open(in: window)
        roster.onEnd = { [weak self] in self?.ended.append($0.session.contact.name) }
        reception.windows = windows
        reception.onBlock = { [weak self] in self?.blocked.append($0.contact.name) }
        reception.onCall = { [weak self] contact, _ in self?.wanted.append(contact.name) }
        reception.onCallTogether = { [weak self] contacts, _ in
            self?.wanted.append("together " + contacts.map(\.name).joined(separator: " "))
        }
        reception.onComeBack = { [weak self] in self?.wanted.append("back " + $0.name) }
        reception.onInvite = { [weak self] contact, _ in self?.onInvite(contact) }
        window.page = .contacts
        window.present()
    }

    func close() {
        dialogs.closeAll()
        reception.close()
        window.close()
    }

    /// Starts an action as a key does in a window.
    func start(_ action: String, in widget: Widget? = nil) {
        gtk_widget_activate_action_variant((widget ?? window.root).pointer(), "call." + action, nil)
    }

    /// What has the focus, in words for somebody who looks for why a test failed.
    var focusText: String {
        focus.map { "\($0.typeName) “\($0[property: "tooltip-text"] ?? "")”" } ?? "nothing"
    }

    var focus: Widget? {
        gtk_window_get_focus(window.root.pointer()).map { Widget(retaining: UnsafeMutableRawPointer($0)) }
    }
}
