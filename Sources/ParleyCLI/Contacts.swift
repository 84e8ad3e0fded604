import ArgumentParser
import BaseKit
import Calling
import Parley
import Wording

/// `parley-cli contacts`: lists the contacts.
struct Contacts: ProfileCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the contacts of the profile.",
        discussion: "A contact keeps the name you know it by; what it calls itself since is shown beside it.")

    @Option(help: ArgumentHelp("Know this contact by what it calls itself now.", valueName: "NAME"))
    var takeName: String?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        if let takeName { await account.takeName(of: try await account.contact(named: takeName).id) }
        let contacts = await account.contacts()
        if contacts.isEmpty, !output.isJSON { printer.event("none", sentence: .tr("There are no contacts yet.")) }
        for contact in contacts { printer.contact(contact) }
    }
}

/// `parley-cli status [NAME]`: the relays, or how the connection to one contact fares.
struct Status: ProfileCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the relays in use, or how the connection to a contact fares, with the security code to compare."
    )

    @Argument(help: ArgumentHelp("The contact's name; without it the relays are shown.", valueName: "NAME"))
    var name: String?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        guard let name else {
            try await account.settleRelays()
            for status in try await account.relayStatuses() { printer.relay(status) }
            return
        }
        let contact = try await account.contact(named: name)
        try await account.settleRelays()
        printer.connection(
            try await account.connection(of: contact.id), name: contact.name,
            code: try await account.securityCode(of: contact.id))
    }
}

/// `parley-cli rotate NAME`: moves the own mailbox for a contact to another relay.
struct Rotate: ProfileCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move the mailbox for a contact to another relay and wait until that is done.",
        discussion: "It needs the contact's help: when they are offline it goes on at the next start.")

    @Argument(help: ArgumentHelp("The contact's name.", valueName: "NAME"))
    var name: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let contact = try await account.contact(named: name)
        let updates = account.updates
        try await account.moveQueue(of: contact.id)
        printer.event("moving", ["contact": .string(name)], sentence: .tr("Moving. %s has to be online for it.", name))
        for await case .moving(contact.id, false) in updates { break }
        try Task.checkCancellation()
        let relay = try await account.connection(of: contact.id).receivingRelays.first?.address ?? ""
        printer.last(
            "moved", ["contact": .string(name), "relay": .string(relay)],
            sentence: .tr("Messages of %1$s now come through %2$s.", name, relay))
    }
}

/// `parley-cli resync NAME`: agrees on new keys with a contact.
struct Resync: ProfileCommand {
    static let configuration = CommandConfiguration(
        abstract: "Agree on new keys with a contact whose messages can't be read, and wait until that is done.",
        discussion: "It needs the contact's help: when they are offline it goes on at the next start.")

    @Flag(help: "Also when nothing seems wrong, or in place of a repair that nobody answers.")
    var force = false

    @Argument(help: ArgumentHelp("The contact's name.", valueName: "NAME"))
    var name: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let contact = try await account.contact(named: name)
        let updates = account.updates
        try await account.resynchronise(contact.id, force: force)
        printer.event(
            "repairing", ["contact": .string(name)], sentence: .tr("Agreeing. %s has to be online for it.", name))
        for await case .encryption(contact.id, .intact) in updates { break }
        try Task.checkCancellation()
        // The other side knows only when the last of it has left.
        try await account.waitUntilSent(to: contact.id)
        let code = try await account.securityCode(of: contact.id) ?? ""
        printer.last(
            "repaired", ["contact": .string(name), "code": .string(code)],
            sentence: .tr("New keys are in use. The security code is now:\n%s", code))
    }
}

extension Account {
    /// Waits until nothing waits to be taken by a contact's relay, for a while.
    func waitUntilSent(to id: ContactID) async throws {
        let end = Instant.now + .seconds(10)
        while Instant.now < end, try await connection(of: id).waitingMessages > 0 {
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Gives every relay a moment to be reached or not.
    func settleRelays() async throws {
        let end = Instant.now + .seconds(10)
        while Instant.now < end {
            let open = try await relayStatuses().filter { $0.smpVersion == nil && $0.problem == nil }
            if open.isEmpty { return }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
