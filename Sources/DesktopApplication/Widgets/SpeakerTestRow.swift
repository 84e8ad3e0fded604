import GLibKit
import Media
import MediaRules
import Parley
import Wording

/// The row that plays a tone at the speaker of calls, as long as it is seen.
@MainActor final class SpeakerTestRow {
    private let player: SoundPlayer?
    private var listening: Task<Void, Never>?

    /// Fills the widgets of a template; `say` shows what is wrong.
    init(
        _ template: Template, provider: any DeviceProvider & RingProvider, say: @escaping @MainActor (String) -> Void
    ) {
        player = provider.makeSoundPlayer()
        template["speaker_test_button"].connect("clicked") { [weak self, weak provider] in
            say("")
            var request = SoundRequest(
                .ringback, ring: RingChoices(), speaker: provider?.deviceChoices()?.speaker)
            request.repetition = nil
            self?.player?.play(request)
        }
        template["speaker_test_row"].connect("unmap") { [weak self] in self?.player?.stop() }
        guard let notices = player?.notices else { return }
        listening = Task {
            for await notice in notices { say(notice.sentence) }
        }
    }

    isolated deinit {
        player?.stop()
        listening?.cancel()
    }
}
