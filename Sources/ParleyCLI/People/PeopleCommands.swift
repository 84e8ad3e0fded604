import ArgumentParser
import Parley
import Wording

/// `parley-cli rename NAME [NEW]`: knows a contact by another name.
struct Rename: ProfileCommand {
    static let configuration = CommandConfiguration(
        abstract: "Know a contact by a name of your own, or again by what it calls itself.",
        discussion: "They are not told.")

    @Argument(help: ArgumentHelp("The contact's name.", valueName: "NAME"))
    var name: String

    @Argument(help: ArgumentHelp("The new name; without it, what the contact calls itself.", valueName: "NEW"))
    var new: String?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let contact = try await account.contact(named: name)
        try await account.rename(contact.id, to: new)
        let now = await account.contacts().first { $0.id == contact.id }?.name ?? contact.name
        printer.last(
            "renamed", ["contact": .string(now), "former": .string(contact.name)],
            sentence: .tr("%1$s is now called %2$s here.", contact.name, now))
    }
}

/// `parley-cli note NAME [TEXT]`: shows what is written down about a contact, or writes it.
struct NoteCommand: ProfileCommand {
    static let configuration = CommandConfiguration(
        commandName: "note", abstract: "Show your notes about a contact, or write them anew.",
        discussion: "They are sealed with the profile and never leave it.")

    @Argument(help: ArgumentHelp("The contact's name.", valueName: "NAME"))
    var name: String

    @Argument(
        help: ArgumentHelp("What to write; \"\" deletes the notes. Without it they are shown.", valueName: "TEXT"))
    var text: String?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let contact = try await account.contact(named: name)
        if let text { try await account.setNote(text, on: contact.id) }
        let note = try await account.note(on: contact.id)
        // Each line by itself: they are the person's own.
        let lines = note.split(separator: "\n", omittingEmptySubsequences: false).map { PlainLine("\($0)") }
        printer.last(
            "note", ["contact": .string(contact.name), "text": .string(note)],
            sentence: note.isEmpty
                ? .tr("There are no notes about %s.", contact.name) : PlainLine(lines: lines))
    }
}

/// `parley-cli compared NAME`: notes that the security code was compared.
struct Compared: ProfileCommand {
    static let configuration = CommandConfiguration(
        abstract: "Note that you have compared the security code with a contact.",
        discussion: "“status NAME” shows the code. You are told when it holds no longer.")

    @Flag(help: "Note that you have not.")
    var undo = false

    @Argument(help: ArgumentHelp("The contact's name.", valueName: "NAME"))
    var name: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let contact = try await account.contact(named: name)
        let code = try await account.securityCode(of: contact.id)
        guard let code else { throw AccountError.notConnected(contact.name) }
        try await account.setCompared(undo ? nil : code, of: contact.id)
        printer.last(
            "compared",
            ["contact": .string(contact.name), "compared": .boolean(!undo), "code": .string(code)],
            sentence: undo
                ? .tr("The security code with %s counts as not compared.", contact.name)
                : PlainLine(lines: [
                    .tr("The security code with %s counts as compared:", contact.name), "\(code)",
                ]))
    }
}

/// `parley-cli label NAME [LABEL…]`: shows or sets what is put on a contact or on who asks.
struct LabelCommand: ProfileCommand {
    static let configuration = CommandConfiguration(
        commandName: "label", abstract: "Show the labels on a contact, or put others there.",
        discussion: "They never leave the profile, and are shown when the contact calls.")

    @Flag(help: "Label them “Suspected spam”.")
    var spam = false

    @Flag(help: "Take all labels off.")
    var none = false

    @Flag(help: "NAME asks to be connected, and is no contact yet.")
    var request = false

    @Argument(help: ArgumentHelp("The name of the contact, or of who asks.", valueName: "NAME"))
    var name: String

    @Argument(help: ArgumentHelp("Words to label them with, in place of those there are.", valueName: "LABEL"))
    var words: [String] = []

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if none, spam || !words.isEmpty { throw ValidationError(tr("Use either --none or labels.")) }
        for word in words where ContactLabel(typed: word) == nil {
            throw ValidationError(tr("A label needs letters, digits or emoji."))
        }
    }

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let wanted = (spam ? [.suspectedSpam] : []) + words.compactMap(ContactLabel.init(typed:))
        let changes = none || !wanted.isEmpty
        let (known, labels): (String, [ContactLabel])
        if request {
            let asking = try await account.request(named: name)
            if changes { try await account.setLabels(wanted, ofRequest: asking.id) }
            (known, labels) = (asking.name, changes ? wanted : asking.labels)
        } else {
            let contact = try await account.contact(named: name)
            if changes { try await account.setLabels(wanted, of: contact.id) }
            (known, labels) = (contact.name, changes ? wanted : contact.labels)
        }
        printer.last(
            "labels", ["contact": .string(known), "labels": .labels(labels)],
            sentence: labels.isEmpty
                ? .tr("There are no labels on %s.", known) : "\(known): \(labels.map(\.text).joined(separator: ", "))")
    }
}
