import Media
import Parley

/// How calls ring, and what plays it.
@MainActor package protocol RingProvider: AnyObject {
    /// What the person has chosen; nil before the account is open.
    func ringChoices() -> RingChoices?
    /// Rings so from the next call on, and remembers it.
    func setRing(_ choices: RingChoices) async throws
    /// Makes a player of sounds, which opens nothing yet; nil where nothing is to be heard.
    func makeSoundPlayer() -> SoundPlayer?
}
