import ArgumentParser
import Parley
import Wording

/// `parley-cli block NAME`: lets a contact's calls ring nowhere.
struct Block: ProfileCommand {
    static let configuration = CommandConfiguration(
        abstract: "Block a contact: their calls don't ring here and look unanswered to them.",
        discussion: "They are not told. A blocked contact can't be called.")

    @Argument(help: ArgumentHelp("The contact's name.", valueName: "NAME"))
    var name: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let contact = try await account.contact(named: name)
        try await account.setBlocked(true, contact.id)
        printer.last("blocked", ["contact": .string(contact.name)], sentence: .tr("%s is blocked.", contact.name))
    }
}

/// `parley-cli unblock NAME`: lets a contact's calls ring again.
struct Unblock: ProfileCommand {
    static let configuration = CommandConfiguration(abstract: "Let the calls of a contact ring again.")

    @Argument(help: ArgumentHelp("The contact's name.", valueName: "NAME"))
    var name: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let contact = try await account.contact(named: name)
        try await account.setBlocked(false, contact.id)
        printer.last(
            "unblocked", ["contact": .string(contact.name)],
            sentence: .tr("%s is not blocked any more.", contact.name))
    }
}
