import BaseKit
import Media
import MediaRules
import Parley
import Wording

/// Lets the shown call be heard besides its media: its ring and its tones.
@MainActor final class CallSounds {
    /// Plays what is asked for; both methods return at once.
    protocol Player: Sendable {
        func play(_ request: SoundRequest)
        func stop()
    }

    /// Is told what the person is to know, such as that their own ring can't be played.
    var onNotice: (String) -> Void = { _ in }

    private let player: (any Player)?
    private let request: @MainActor (CallTones.Tone) -> SoundRequest
    private var tones = CallTones()
    private var waiting: Task<Void, Never>?
    private var listening: Task<Void, Never>?
    private var isClosed = false

    /// Plays at this player; `request` says how a tone is played now.
    init(_ player: (any Player)?, request: @escaping @MainActor (CallTones.Tone) -> SoundRequest) {
        (self.player, self.request) = (player, request)
    }

    /// Plays as the person has chosen.
    convenience init(_ provider: @escaping @MainActor () -> any DeviceProvider & RingProvider) {
        let player = provider().makeSoundPlayer()
        self.init(player) { tone in
            SoundRequest(
                tone, ring: provider().ringChoices() ?? RingChoices(), speaker: provider().deviceChoices()?.speaker)
        }
        guard let notices = player?.notices else { return }
        listening = Task { [weak self] in
            // Devices that come and go are told in calls; here one of them rings in any case.
            for await notice in notices { if case .failed = notice { self?.onNotice(notice.sentence) } }
        }
    }

    isolated deinit {
        waiting?.cancel()
        listening?.cancel()
    }

    /// Takes in how the call in front stands, nil when there is none any more; `call` tells calls apart, and `hasWaiting` says that
    /// another one waits.
    func follow(_ snapshot: CallSnapshot?, call: Int = 0, hasWaiting: Bool = false) {
        perform(tones.follow(snapshot, call: call, hasWaiting: hasWaiting, at: .now))
    }

    /// A call that was connected is over, and another one is in front by now.
    func endedBehind() { perform(tones.endedBehind()) }

    /// Ends what is heard, for good.
    func close() {
        isClosed = true
        waiting?.cancel()
        player?.stop()
    }

    private func perform(_ step: CallTones.Step?) {
        guard !isClosed, let step else { return }
        waiting?.cancel()
        waiting = nil
        switch step {
        case .stop: player?.stop()
        case .play(let tone): player?.play(request(tone))
        }
        guard let deadline = tones.deadline else { return }
        waiting = Task { [weak self] in
            try? await Task.sleep(for: deadline - .now)
            guard let self, !Task.isCancelled else { return }
            perform(tones.pass(at: .now))
        }
    }
}

extension SoundPlayer: CallSounds.Player {}
