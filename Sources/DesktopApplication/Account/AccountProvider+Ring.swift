import Media
import Parley

// How calls of the account ring.
extension AccountProvider {
    func ringChoices() -> RingChoices? { (try? opened())?.ringChoices }

    func setRing(_ choices: RingChoices) async throws {
        defer { onDevices?() }
        try await opened().setRing(choices)
    }

    func makeSoundPlayer() -> SoundPlayer? { SoundPlayer() }
}
