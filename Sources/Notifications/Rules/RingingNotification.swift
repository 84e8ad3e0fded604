import BaseKit

/// The notification of one call that rings: shown until the call does not ring any more or the person has said what they want.
///
/// It answers for this call alone, and only while that rings: what comes late, twice, or about another notification does nothing.
package struct RingingNotification: Sendable {
    /// What is to be read there.
    package struct Text: Sendable, Equatable {
        /// The caller's name, or what stands for it.
        package var title: String
        /// What the call is; nil when the title says it.
        package var body: String?
        /// The label for taking the call as it was meant.
        package var accept: String
        /// The label for taking a call with pictures without them; nil for one that has none.
        package var acceptWithSoundOnly: String?
        /// The label for declining.
        package var decline: String
        /// The label for looking at the call.
        package var open: String

        /// Texts.
        package init(
            title: String, body: String?, accept: String, acceptWithSoundOnly: String?, decline: String, open: String
        ) {
            self.title = title
            self.body = body
            self.accept = accept
            self.acceptWithSoundOnly = acceptWithSoundOnly
            self.decline = decline
            self.open = open
        }
    }

    /// What the person wants.
    package enum Answer: Sendable, Hashable {
        case accept, acceptWithSoundOnly, decline
        /// No ringing here; the caller hears nothing of it.
        case ignore
        /// To see the call.
        case open
    }

    /// What is to be done.
    package enum Effect: Sendable, Equatable {
        case show(DesktopNotification, NotificationSending)
        case close(UInt32)
        /// A server is wanted, and there is none.
        case startServer
        /// The person has answered; the token lets a window come to the front.
        case answer(Answer, token: String?)
    }

    private let notification: DesktopNotification
    private var slot = NotificationSlot()
    private var given: Set<Answer> = []
    private var isRinging = true
    private var hasServer = false

    /// A call that begins to ring. One that is not critical disturbs less: what a server takes away by itself stays away.
    package init(
        _ text: Text, picture: NotificationPicture? = nil, urgency: DesktopNotification.Urgency = .critical
    ) {
        let actions: [(Answer, String?)] = [
            (.open, text.open), (.accept, text.accept), (.acceptWithSoundOnly, text.acceptWithSoundOnly),
            (.decline, text.decline),
        ]
        notification = DesktopNotification(
            summary: text.title, body: text.body,
            actions: actions.compactMap { answer, label in
                label.map { DesktopNotification.Action(key: answer.key, label: $0) }
            },
            urgency: urgency, category: "call.incoming", picture: picture)
    }

    /// Begins to tell of the call; `hasServer` says whether there is somebody to show it.
    package mutating func begin(hasServer: Bool) -> [Effect] {
        self.hasServer = hasServer
        return hasServer ? show(slot.show()) : [.startServer]
    }

    /// Something came from the server.
    package mutating func receive(_ event: NotificationEvent, at now: Instant) -> [Effect] {
        switch event {
        case .came:
            hasServer = true
            return isWanted ? show(slot.showAgain()) : []
        case .left:
            hasServer = false
            slot.forget()
            return isWanted ? [.startServer] : []
        case .closed, .pressed, .token: break
        }
        switch slot.receive(event, at: now) {
        case .nothing: return []
        case .pressed(let key, let token): return Answer(key: key).map { answer($0, token: token) } ?? []
        case .dismissed: return answer(.ignore, token: nil)
        case .gone where notification.urgency != .critical: return []
        case .startled, .gone: return isWanted ? show(slot.showAgain()) : []
        }
    }

    /// The server has taken a sending, under this number.
    package mutating func shown(_ sending: NotificationSending, as id: UInt32, at now: Instant) -> [Effect] {
        let arrival = slot.shown(sending, as: id, at: now)
        if let id = arrival.closing { return [.close(id)] }
        return arrival.events.flatMap { receive($0, at: now) }
    }

    /// The server has not taken a sending. Another one may come.
    mutating func notShown(_ sending: NotificationSending) -> [Effect] {
        _ = slot.notShown(sending)
        return []
    }

    /// The call does not ring any more.
    package mutating func end() -> [Effect] {
        isRinging = false
        return withdraw()
    }

    /// Whether it is to be seen.
    private var isWanted: Bool { isRinging && given.isEmpty }

    private func show(_ sending: NotificationSending?) -> [Effect] {
        sending.map { [.show(notification, $0)] } ?? []
    }

    private mutating func withdraw() -> [Effect] { slot.withdraw().map { [.close($0)] } ?? [] }

    private mutating func answer(_ answer: Answer, token: String?) -> [Effect] {
        // Servers close what was pressed, as if it were dismissed; and some say so before they say what was pressed.
        guard isRinging, given.isDisjoint(with: [.accept, .acceptWithSoundOnly, .decline]),
            answer != .ignore || given.isEmpty, given.insert(answer).inserted
        else { return [] }
        return [.answer(answer, token: token)] + withdraw()
    }
}

extension RingingNotification.Answer {
    /// What its button is called at the server; dismissing has none.
    var key: String {
        switch self {
        case .accept: "accept"
        case .acceptWithSoundOnly: "accept-audio"
        case .decline: "decline"
        case .open: DesktopNotification.defaultAction
        case .ignore: ""
        }
    }

    init?(key: String) {
        switch key {
        case Self.accept.key: self = .accept
        case Self.acceptWithSoundOnly.key: self = .acceptWithSoundOnly
        case Self.decline.key: self = .decline
        case Self.open.key: self = .open
        default: return nil
        }
    }
}
