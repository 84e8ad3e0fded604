import BaseKit
import DesktopSession
import Portal
import Wording

/// What a call asks of the desktop around it: other players stand still, and neither screen nor machine falls asleep.
@MainActor final class CallSurroundings {
    /// How long other programs may take at the end of this one.
    private static let timeToTell = Duration.seconds(3)

    /// Is told whether the screen is to stay awake, for the means of windows.
    var onAwake: (Bool) -> Void = { _ in }
    /// Whether it is.
    private(set) var isAwake = false
    /// Is told when other players have been paused, or have had time for it.
    var onStill: () -> Void = {}
    /// Whether they have.
    private(set) var isStill = false

    private let players: AsyncStream<Bool>.Continuation
    private let awake: AsyncStream<Bool>.Continuation
    /// Tells each service by itself: one that hangs holds up no other. Of wishes that wait the newest counts.
    private var telling: [Task<Void, Never>] = []
    private var hasCall = false
    private var isClosed = false

    init() {
        let bus = Task { try? await Bus.session() }
        let (pauses, players) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (holds, awake) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.players, self.awake) = (players, awake)
        telling = [
            Task { [weak self] in
                guard let bus = await bus.value else { return }
                let service = PlayerPause(bus: bus)
                for await isWanted in pauses {
                    await service.set(isWanted)
                    if isWanted { self?.playersStand() }
                }
            },
            Task {
                guard let bus = await bus.value else { return }
                let service = AwakeKeeping(bus: bus, application: ApplicationIdentity.name)
                for await isWanted in holds { await service.set(isWanted ? tr("In a call") : nil) }
            },
        ]
    }

    /// Whether there is a call that makes itself felt, and whether the person is in one, or has put it on hold.
    func show(hasCall: Bool, isInCall: Bool) {
        guard !isClosed else { return }
        self.hasCall = hasCall
        if !hasCall { isStill = false }
        isAwake = isInCall
        players.yield(hasCall)
        awake.yield(isAwake)
        onAwake(isAwake)
    }

    private func playersStand() {
        guard hasCall, !isStill else { return }
        isStill = true
        onStill()
    }

    /// Lets go of everything; returns when the other programs have been told, or have had time enough.
    func close() async {
        show(hasCall: false, isInCall: false)
        isClosed = true
        players.finish()
        awake.finish()
        let telling = telling
        await wait(
            forEndOf: Task { for task in telling { await task.value } }, within: Self.timeToTell)
    }
}
