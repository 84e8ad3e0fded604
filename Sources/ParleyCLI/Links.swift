import ArgumentParser
import Foundation
import Parley
import Wording

/// How long a link shall be.
struct LinkOptions: ParsableArguments {
    @Flag(help: "A short link, or none: the relay has to be able to keep it.")
    var short = false

    @Flag(help: "A full link, which needs nothing of the relay.")
    var full = false

    func validate() throws {
        if short, full { throw ValidationError(tr("Use either --short or --full.")) }
    }

    var form: LinkForm { short ? .short : full ? .full : .automatic }
}

/// A link that others are to open, and from where they can.
private enum MadeLink {
    /// `link`, and as `reach` one of `machine`, `network`, `everywhere`.
    static func fields(_ link: String) -> EventPrinter.Fields {
        let reach =
            switch RelayReach(link: link) {
            case .thisMachine: "machine"
            case .thisNetwork: "network"
            case .everywhere, nil: "everywhere"
            }
        return ["link": .string(link), "reach": .string(reach)]
    }

    /// Says so, where not everybody can open it.
    static func warn(of link: String, _ printer: EventPrinter) {
        if let sentence = RelayReach(link: link)?.linkSentence { printer.remark(sentence) }
    }
}

/// `parley-cli invite`: prints a link and stays until the other side has connected.
struct Invite: ProfileCommand {
    static let configuration = CommandConfiguration(abstract: "Print an invitation link and wait for the other side.")

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("What you call them; they keep that name as a contact.", valueName: "NAME"))
    var name: String?

    @OptionGroup var link: LinkOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let invitation = try await account.makeInvitation(link.form, for: name)
        printer.event("link", MadeLink.fields(invitation.link), sentence: PlainLine(invitation.link))
        MadeLink.warn(of: invitation.link, printer)
        printer.connected(try await invitation.connected())
    }
}

/// `parley-cli connect LINK`: connects by somebody's link and stays until it is done.
struct Connect: ProfileCommand {
    static let configuration = CommandConfiguration(
        abstract: "Connect with the person who made a link.",
        discussion: "With a contact address its owner is asked; whether you wait or not, it goes on at the next start.")

    @Argument(help: ArgumentHelp("An invitation link or a contact address, full or short.", valueName: "LINK"))
    var link: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let pending = try await account.join(link: link)
        if pending.kind == .address {
            printer.event("asked", sentence: .tr("Asked. You are connected as soon as the other side accepts."))
        }
        printer.connected(try await pending.connected())
    }
}

/// `parley-cli address`: the link that anybody may use to ask.
struct Address: ProfileCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the contact address, which anybody may use to ask; made at first use.")

    @Flag(help: "Delete it instead. Contacts who came through it stay.")
    var delete = false

    @OptionGroup var link: LinkOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        guard delete else {
            let link = try await account.makeContactAddress(link.form)
            printer.last("address", MadeLink.fields(link), sentence: PlainLine(link))
            return MadeLink.warn(of: link, printer)
        }
        guard try await account.contactAddress() != nil else {
            return printer.last("none", [:], sentence: .tr("There is no contact address."))
        }
        try await account.deleteContactAddress()
        printer.last("deleted", [:], sentence: .tr("The contact address is deleted."))
    }
}

/// `parley-cli links`: the links that wait for somebody to open them.
struct Links: ProfileCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the links made for one person each that nobody has opened yet, oldest first.",
        discussion:
            "A link can be given again until somebody opens it. The contact address is no such link; see \"address\".")

    @Option(
        help: ArgumentHelp(
            "Withdraw the link for this contact: nobody can open it any more, and the contact goes.", valueName: "NAME")
    )
    var withdraw: String?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        if let withdraw {
            let contact = try await account.contact(named: withdraw)
            try await account.withdrawInvitation(contact.id)
            return printer.last(
                "withdrawn", ["contact": .string(contact.name)],
                sentence: .tr("The link for %s is withdrawn. Nobody can open it any more.", contact.name))
        }
        let invitations = await account.openInvitations()
        if invitations.isEmpty, !output.isJSON {
            printer.event("none", sentence: .tr("There is no link that waits to be opened."))
        }
        for invitation in invitations { printer.openLink(invitation) }
    }
}

extension EventPrinter {
    /// A link that waits for somebody to open it.
    fileprivate func openLink(_ invitation: OpenInvitation) {
        var fields = MadeLink.fields(invitation.link)
        fields["contact"] = .string(invitation.contact)
        fields["named"] = .boolean(invitation.isNamed)
        fields["made"] = invitation.date.map { .moment($0) }
        let made = invitation.date.map { tr("made %s", $0.formatted(.iso8601)) } ?? tr("made some time ago")
        let reach =
            switch invitation.reach {
            case .thisMachine: tr("for this machine only")
            case .thisNetwork: tr("for this network")
            case .everywhere, nil: tr("for everywhere")
            }
        event(
            "open-link", fields,
            sentence: PlainLine(lines: [
                .tr("%1$s: %2$s, %3$s", invitation.contact, made, reach), PlainLine(invitation.link),
            ]))
    }
}
