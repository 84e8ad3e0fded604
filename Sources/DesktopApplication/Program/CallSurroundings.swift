import BaseKit
import CGtk
import DesktopSession
import GLibKit
import Portal
import Wording

/// What a call asks of the desktop around it: other players stand still, and neither screen nor machine falls asleep.
@MainActor final class CallSurroundings {
    private struct Services {
        var players: PlayerPause
        var awake: AwakeKeeping
    }

    /// How long other programs may take at the end of this one.
    private static let timeToTell = Duration.seconds(3)

    private let application: Object
    private let window: Object
    private let services: Task<Services?, Never>
    private var wish = (hasCall: false, isAwake: false)
    private var isIgnored = false
    private var inhibitor: guint = 0
    private var working: Task<Void, Never>?
    private var isClosed = false

    /// - Parameter window: what the desktop shows as the one that keeps awake.
    init(_ application: Object, window: Object) {
        self.application = application
        self.window = window
        services = Task {
            guard let bus = try? await Bus.session() else { return nil }
            return Services(
                players: PlayerPause(bus: bus), awake: AwakeKeeping(bus: bus, application: ApplicationIdentity.name))
        }
    }

    /// Where the call that is shown stands; nil when there is none.
    func show(_ stage: CallStage?) {
        guard !isClosed else { return }
        if stage != .ringingIn { isIgnored = false }
        let hasCall = stage.map { !$0.isEnded && !isIgnored } ?? false
        let isAwake = hasCall && stage != .ringingIn
        guard wish != (hasCall, isAwake) else { return }
        wish = (hasCall, isAwake)
        keepAwake(isAwake)
        guard working == nil else { return }
        working = Task { [weak self] in await self?.work() }
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
        if let working { await wait(forEndOf: working, within: Self.timeToTell) }
    }

    private func work() async {
        if let services = await services.value {
            var done: (hasCall: Bool, isAwake: Bool)?
            while done.map({ $0 != wish }) ?? true {
                let wish = wish
                async let players: Void = services.players.set(wish.hasCall)
                await services.awake.set(wish.isAwake ? tr("In a call") : nil)
                await players
                done = wish
            }
        }
        working = nil
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
