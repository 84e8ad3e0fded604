import Parley

/// Chooses where calls come from.
@MainActor enum Providers {
    /// The person's account, or pretended calls when the command line asks for them.
    static func make(_ options: Options) -> any CallProvider {
        options.isFake
            ? FakeProvider(pause: .milliseconds(options.fakePause), ringsOnSignal: options.fakeCallsWait)
            : AccountProvider(AccountConfiguration(options), passphraseFile: options.passphraseFile)
    }
}
