import ArgumentParser
import Parley

/// `parley-cli invite`: prints a link and stays until the other side has connected.
struct Invite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print an invitation link and wait for the other side.")

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        try await Session(profile: profile, printer: printer).run { account in
            let invitation = try await account.makeInvitation()
            printer.event("link", ["link": invitation.link], sentence: invitation.link)
            let contact = try await invitation.connected()
            printer.event("connected", ["contact": contact.name], sentence: "Connected with \(contact.name).")
        }
    }
}

/// `parley-cli connect LINK`: connects by somebody's link and stays until it is done.
struct Connect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Connect with the person who made a link.")

    @Argument(help: ArgumentHelp("The invitation link.", valueName: "LINK"))
    var link: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        let link = link
        try await Session(profile: profile, printer: printer).run { account in
            let contact = try await account.connect(link: link)
            printer.event("connected", ["contact": contact.name], sentence: "Connected with \(contact.name).")
        }
    }
}

/// `parley-cli contacts`: lists the contacts.
struct Contacts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the contacts of the profile.")

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let isJSON = output.isJSON
        let printer = EventPrinter(isJSON: isJSON)
        try await Session(profile: profile, printer: printer).run { account in
            let contacts = await account.contacts()
            if contacts.isEmpty, !isJSON { printer.event("none", sentence: "There are no contacts yet.") }
            for contact in contacts {
                let state = contact.isConnected ? "connected" : "connecting"
                printer.event(
                    "contact", ["contact": contact.name, "state": state], sentence: "\(contact.name) (\(state))")
            }
        }
    }
}
