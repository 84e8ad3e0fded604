import BaseKit
import CGtk
import GLibKit
import Logging
import Notifications
import Pictures
import Signaling
import Wording

/// Tells of calls through the desktop while none of our windows has the person's attention.
@MainActor final class CallNotifications {
    /// What a person answers to a call that rings, with what lets a window come to the front.
    typealias OnAnswer = @MainActor (RingingNotification.Answer, _ token: String?) -> Void

    /// Is told whom the person wants to call back, and what the last of their calls was.
    var onCallBack: (_ contact: ContactItem, CallKind, _ token: String?) -> Void = { _, _, _ in }
    /// Is told whose messages the person wants to see.
    var onMessages: (_ contact: ContactItem, _ token: String?) -> Void = { _, _ in }
    /// Is told that the person wants to see the program.
    var onOpen: (_ token: String?) -> Void = { _ in }

    /// From one of our windows to another, none is active for a moment.
    private static let timeBetweenWindows = Duration.milliseconds(300)

    private var application: Object?
    private let settings: ProgramSettings
    private let notifier: CallNotifier
    private let hasName: Bool
    /// Tells of a call that rings where a window of ours is active.
    private var untold: (@MainActor () -> Void)?
    /// When one of our windows got the focus last.
    private var lastActivation: Instant?
    /// Who has written, by the name of what was told of it.
    private var writers: [String: ContactItem] = [:]
    private var messageNotices = MessageNotices()
    private var missed: [ContactItem.ID: (contact: ContactItem, kind: CallKind)] = [:]

    /// Tells of calls as the settings allow. Only of a program that has its name on the bus missed calls may be told beyond its end:
    /// what is pressed there comes to whoever has that name.
    init(
        _ settings: ProgramSettings = ProgramSettings(), hasName: Bool = false,
        notifier: CallNotifier = CallNotifier(
            for: NotificationSender(name: ApplicationIdentity.name, desktopEntry: ApplicationIdentity.id))
    ) {
        self.settings = settings
        self.notifier = notifier
        self.hasName = hasName
        let logger = Logger(label: "im.parley.notifications")
        notifier.onTrouble = { logger.info("no notification: \($0)") }
        notifier.onOpen = { [weak self] subject, token in
            guard let self, let writer = writers[subject] else { return self?.onOpen(token) ?? () }
            onMessages(writer, token)
        }
        notifier.onCallBack = { [weak self] person, token in
            guard let self, let missed = missed[person] else { return }
            onCallBack(missed.contact, missed.kind, token)
        }
    }

    /// Keeps still while one of this application's windows has the person's attention.
    func watch(_ application: Object) {
        self.application = application
        application.connect("window-added") { [weak self] arguments in
            arguments.object(0)?.onChange(of: "is-active") { [weak self] in self?.activityChanged() }
        }
        application.connect("window-removed") { [weak self] in self?.activityChanged() }
    }

    private var hasActiveWindow: Bool { application?.hasActiveWindow ?? false }

    /// Whether what comes up unasked says who calls.
    var showsCaller: Bool { settings[.showsCaller] }

    /// What the desktop's notification server can do; nil when there is none.
    func features() async -> NotificationFeatures? { await notifier.features() }

    /// Tells of a call that rings, once none of our windows is active, and calls `onTell` then. `onAnswer` hears of this call alone, and
    /// while it rings only. Accepting a call that waits behind another one puts that on hold.
    func ring(
        _ call: CallPresentation, kind: CallKind, isWaiting: Bool = false,
        urgency: DesktopNotification.Urgency = .critical,
        onTell: @escaping @MainActor () -> Void = {}, onAnswer: @escaping OnAnswer
    ) {
        let isPrivate = !settings[.showsCaller]
        let body = [call.labels, call.status].compactMap(\.self).joined(separator: " · ")
        let text = RingingNotification.Text(
            title: isPrivate ? call.plainStatus : call.name, body: isPrivate ? nil : body,
            accept: isWaiting ? tr("Hold and accept") : tr("Accept"),
            acceptWithSoundOnly: kind == .video && !isWaiting ? tr("Accept with sound only") : nil,
            decline: tr("Decline"),
            open: tr("Show"))
        let file = isPrivate ? nil : call.picture
        let tell: @MainActor () -> Void = { [weak self, notifier] in
            onTell()
            notifier.ring(text, picture: Self.drawn(file), urgency: urgency) { answer, token in
                guard answer == .ignore else { return onAnswer(answer, token) }
                Task { if await self?.isSentAway() == true { onAnswer(answer, token) } }
            }
        }
        if hasActiveWindow { untold = tell } else { tell() }
    }

    /// No call rings any more.
    func stopRinging() {
        untold = nil
        notifier.stopRinging()
    }

    /// Tells of a call that was missed, unless one of our windows shows it.
    func tell(_ call: MissedCallItem, in profile: String? = nil) {
        guard !hasActiveWindow else { return }
        missed[call.contact.id] = (call.contact, call.kind)
        let isPrivate = !settings[.showsCaller]
        let name = isPrivate ? nil : ProfileRow.line(call.contact.name, profile)
        let file = isPrivate ? nil : call.contact.picture
        let parameter = BusAction.parameter(call.contact.id, call.kind)
        let lasting: CallNotifier.LastingDescription = { count in
            let text = Self.text(of: count, name: name)
            return LastingNotification(
                title: text.title, body: text.body, picture: file?.bytes,
                action: LastingNotification.Action("show-call"),
                buttons: [
                    LastingNotification.Button(
                        label: tr("Call back"), action: LastingNotification.Action("call-back", parameter))
                ])
        }
        let describe: CallNotifier.Description = { count in
            let text = Self.text(of: count, name: name)
            return DesktopNotification(
                summary: text.title, body: text.body,
                actions: [
                    DesktopNotification.Action(key: DesktopNotification.defaultAction, label: tr("Show")),
                    DesktopNotification.Action(key: MissedCallNotifications.callBack, label: tr("Call back")),
                ], urgency: .normal, category: "call.unanswered", picture: Self.drawn(file))
        }
        notifier.missed(call.contact.id, describe: describe, lasting: hasName ? lasting : nil)
    }

    /// What a notification of so many missed calls says; without a name it tells nobody's.
    private static func text(of count: Int, name: String?) -> (title: String, body: String?) {
        let sentence = tr("Missed call", plural: "%s missed calls", count: count, count)
        return name.map { ($0, sentence) } ?? (sentence, nil)
    }

    /// Tells of a message, unless one of our windows shows that there is one; of each person the last one, and not more often than
    /// somebody wants to look up.
    func tell(_ message: WrittenItem, in profile: String? = nil) {
        guard !hasActiveWindow, messageNotices.admits(message.contact.id, at: .now) else { return }
        let isPrivate = !settings[.showsCaller]
        let subject = Self.subject(message.contact)
        writers[subject] = message.contact
        let file = isPrivate ? nil : message.contact.picture
        let words = message.words.replacing("\n", with: " ")
        let text = words.count > Self.mostCharacters ? words.prefix(Self.mostCharacters) + "…" : words[...]
        notifier.missed(subject) { count in
            let sentence = tr("New message", plural: "%s new messages", count: count, count)
            return DesktopNotification(
                summary: isPrivate ? sentence : ProfileRow.line(message.contact.name, profile),
                body: isPrivate ? nil : String(text),
                actions: [DesktopNotification.Action(key: DesktopNotification.defaultAction, label: tr("Show"))],
                urgency: .normal, category: "im.received", picture: Self.drawn(file))
        }
    }

    /// The person has seen what a contact has written.
    func forgetMessages(of contact: ContactItem) {
        let subject = Self.subject(contact)
        guard writers.removeValue(forKey: subject) != nil else { return }
        notifier.seen(subject)
    }

    /// A person's picture as notifications carry it; nil when it can't be drawn. It takes milliseconds, in which no window of ours is active.
    private static func drawn(_ picture: ProfilePicture?) -> NotificationPicture? {
        guard let picture, let drawn = try? DrawnPicture(picture) else { return nil }
        return NotificationPicture(width: drawn.width, height: drawn.height, pixels: drawn.pixels)
    }

    /// How much of a message a notification shows.
    private static let mostCharacters = 200

    private static func subject(_ contact: ContactItem) -> String { "messages " + contact.id }

    /// Tells of something else that concerns calls, under a name by which it is replaced. What `isLeft` can still be read after the
    /// program's end.
    func tell(_ subject: String, summary: String, body: String?, isLeft: Bool = true) {
        guard !hasActiveWindow else { return }
        let describe: CallNotifier.Description = { _ in
            DesktopNotification(
                summary: summary, body: body,
                actions: [DesktopNotification.Action(key: DesktopNotification.defaultAction, label: tr("Show"))],
                urgency: .normal, category: "im.error")
        }
        notifier.missed(subject, describe: describe, isLeft: isLeft)
    }

    /// What was told under a name is so no more.
    func takeBack(_ subject: String) { notifier.seen(subject) }

    /// The person calls somebody, and so knows of their calls.
    func forget(_ contact: ContactItem) { notifier.seen(contact.id) }

    /// Takes back what does not outlive the program, before it ends.
    func close() async { await notifier.close() }

    /// Whether the person has sent a notification away just now, and not its server, as some do when a window of the program that
    /// it is of gets the focus.
    private func isSentAway() async -> Bool {
        try? await Task.sleep(for: Self.timeBetweenWindows)
        return lastActivation.map { .now - $0 > Self.timeBetweenWindows * 2 } ?? true
    }

    private func activityChanged() {
        if hasActiveWindow {
            lastActivation = .now
            return notifier.seen()
        }
        guard untold != nil else { return }
        Task { [weak self] in
            try? await Task.sleep(for: Self.timeBetweenWindows)
            guard let self, !hasActiveWindow, let untold else { return }
            self.untold = nil
            untold()
        }
    }
}

extension Object {
    /// Whether the keyboard belongs to one of this application's windows.
    @MainActor var hasActiveWindow: Bool {
        var next = gtk_application_get_windows(pointer())
        while let item = next {
            if let window = item.pointee.data, gtk_window_is_active(window.assumingMemoryBound(to: GtkWindow.self)) != 0
            {
                return true
            }
            next = item.pointee.next
        }
        return false
    }
}
