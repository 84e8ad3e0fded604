import ArgumentParser

/// `parley-cli`: calls without a window.
@main
struct ParleyCLI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parley-cli",
        abstract: "Audio and video calls over SMP relays, without a window.",
        subcommands: [TestCall.self, Invite.self, Connect.self, Contacts.self, Listen.self, CallContact.self])

    @OptionGroup var profile: ProfileOptions
}
