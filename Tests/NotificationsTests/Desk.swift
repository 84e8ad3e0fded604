import BaseKit
import FakePortal
import Portal
import TestSupport

@testable import Notifications

/// A person's desktop: a bus that starts nothing by itself, and on it this program's notifications.
@MainActor final class Desk {
    static let sender = NotificationSender(name: "Parley", desktopEntry: "im.parley.Parley")

    let home: PrivateBus
    let notifier: CallNotifier
    /// What the person answered to the call, with the tokens.
    private(set) var answers: [RingingNotification.Answer] = []
    private(set) var tokens: [String?] = []
    /// Whom they want to call back.
    private(set) var wanted: [String] = []
    /// How often they wanted to see the program.
    private(set) var openings = 0
    /// What went wrong.
    private(set) var troubles: [NotificationError] = []
    private let clock: Clock

    /// A clock on which so much passes from one look to the next.
    @MainActor final class Clock {
        var step: Duration
        private var moment = Samples.start

        init(_ step: Duration) { self.step = step }

        func look() -> Instant {
            moment += step
            return moment
        }
    }

    /// An empty desktop. On its clock `step` passes from one look to the next.
    init(step: Duration = .seconds(2)) async throws {
        let home = try await PrivateBus(startsServices: false)
        let clock = Clock(step)
        self.home = home
        self.clock = clock
        notifier = CallNotifier(
            for: Self.sender, now: { clock.look() },
            openBus: { () async throws(PortalError) in try await Bus.connect(address: home.address) })
        notifier.onCallBack = { [weak self] person, _ in self?.wanted.append(person) }
        notifier.onOpen = { [weak self] _, _ in self?.openings += 1 }
        notifier.onTrouble = { [weak self] in self?.troubles.append($0) }
    }

    /// From now on so much passes from one look to the next.
    func setStep(_ step: Duration) { clock.step = step }

    /// A call begins to ring.
    func ring(
        _ text: RingingNotification.Text = Samples.text, picture: NotificationPicture? = nil,
        urgency: DesktopNotification.Urgency = .critical
    ) {
        notifier.ring(text, picture: picture, urgency: urgency) { [weak self] answer, token in
            self?.answers.append(answer)
            self?.tokens.append(token)
        }
    }

    /// A call of that person was missed; `lasts` where it may outlive the program.
    func miss(
        _ person: String, lasts: Bool = false, isLeft: Bool = true, picture: NotificationPicture? = nil
    ) {
        let describe: CallNotifier.Description = { count in
            DesktopNotification(
                summary: person, body: Self.missed(count),
                actions: [
                    .init(key: DesktopNotification.defaultAction, label: "Show"),
                    .init(key: MissedCallNotifications.callBack, label: "Call back"),
                ],
                urgency: .normal, category: "call.unanswered", picture: picture)
        }
        let lasting: CallNotifier.LastingDescription = { count in
            LastingNotification(
                title: person, body: Self.missed(count), action: .init("show-call"), buttons: [])
        }
        notifier.missed(person, describe: describe, lasting: lasts ? lasting : nil, isLeft: isLeft)
    }

    private static func missed(_ count: Int) -> String { count == 1 ? "Missed call" : "\(count) missed calls" }

    /// Calls can't come in yet.
    func tellLocked() {
        notifier.missed(
            "locked",
            describe: { _ in
                DesktopNotification(
                    summary: "Parley can’t receive calls yet",
                    body: "The keyring is locked. Parley goes on by itself once it is unlocked.",
                    actions: [.init(key: DesktopNotification.defaultAction, label: "Show")], urgency: .normal,
                    category: "im.error")
            }, isLeft: false)
    }

    /// A connection of another program.
    func connect() async throws -> Bus { try await Bus.connect(address: home.address) }
}
