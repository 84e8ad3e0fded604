import BaseKit
import CGtk
import DesktopSession
import GLibKit
import Portal
import Wording

/// What a call asks of the desktop around it: other players stand still, and neither screen nor machine falls asleep.
@MainActor final class CallSurroundings {
    /// How long other programs may take at the end of this one.
    private static let timeToTell = Duration.seconds(3)

    private let application: Object
    private let window: Object
    private let players: AsyncStream<Bool>.Continuation
    private let awake: AsyncStream<Bool>.Continuation
    /// Tells each service by itself: one that hangs holds up no other. Of wishes that wait the newest counts.
    private let telling: [Task<Void, Never>]
    private var inhibitor: guint = 0
    private var isIgnored = false
    private var isClosed = false

    /// - Parameter window: what the desktop shows as the one that keeps awake.
    init(_ application: Object, window: Object) {
        self.application = application
        self.window = window
        let bus = Task { try? await Bus.session() }
        let (pauses, players) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (holds, awake) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.players, self.awake) = (players, awake)
        telling = [
            Task {
                guard let bus = await bus.value else { return }
                let service = PlayerPause(bus: bus)
                for await isWanted in pauses { await service.set(isWanted) }
            },
            Task {
                guard let bus = await bus.value else { return }
                let service = AwakeKeeping(bus: bus, application: ApplicationIdentity.name)
                for await isWanted in holds { await service.set(isWanted ? tr("In a call") : nil) }
            },
        ]
    }

    /// Where the call that is shown stands; nil when there is none.
    func show(_ stage: CallStage?) {
        guard !isClosed else { return }
        if stage != .ringingIn { isIgnored = false }
        let hasCall = stage.map { !$0.isEnded && !isIgnored } ?? false
        let isAwake = hasCall && stage != .ringingIn
        players.yield(hasCall)
        awake.yield(isAwake)
        keepAwake(isAwake)
    }

    /// The person wants nothing to change for the call that rings.
    func ignore() {
        isIgnored = true
        show(.ringingIn)
    }

    /// Lets go of everything; returns when the other programs have been told, or have had time enough.
    func close() async {
        show(nil)
        isClosed = true
        players.finish()
        awake.finish()
        let telling = telling
        await wait(
            forEndOf: Task { for task in telling { await task.value } }, within: Self.timeToTell)
    }

    private func keepAwake(_ isWanted: Bool) {
        guard isWanted != (inhibitor != 0) else { return }
        if isWanted {
            let what = GTK_APPLICATION_INHIBIT_IDLE.rawValue | GTK_APPLICATION_INHIBIT_SUSPEND.rawValue
            // Nothing where the desktop has no such service; then there is nothing to take back either.
            inhibitor = gtk_application_inhibit(
                application.pointer(), window.pointer(), GtkApplicationInhibitFlags(rawValue: what), tr("In a call"))
        } else {
            gtk_application_uninhibit(application.pointer(), inhibitor)
            inhibitor = 0
        }
    }
}
