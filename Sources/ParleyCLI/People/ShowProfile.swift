import ArgumentParser
import Parley
import Pictures
import Wording

/// `parley-cli profile`: shows or changes what contacts see of the person.
struct ShowProfile: ProfileCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Show what contacts see of you, or change it; they are sent what is new.",
        discussion: "--name changes the name. A contact who can't be reached now is told later.")

    @Option(help: ArgumentHelp("A line about you.", valueName: "TEXT"))
    var description: String?

    @Flag(help: "Show no line about you.")
    var noDescription = false

    @Option(
        help: ArgumentHelp(
            "Show the middle of this picture; it is made small, and nothing but the picture leaves this machine.",
            valueName: "FILE"))
    var picture: String?

    @Flag(help: "Show no picture.")
    var noPicture = false

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if description != nil, noDescription {
            throw ValidationError(tr("Use either --description or --no-description."))
        }
        if picture != nil, noPicture { throw ValidationError(tr("Use either --picture or --no-picture.")) }
    }

    func run(with account: Account, telling printer: EventPrinter) async throws {
        var own = await account.ownProfile
        if let description { own.shortDescription = description }
        if noDescription { own.shortDescription = nil }
        if let picture {
            do throws(PictureFileError) {
                own.picture = try PictureFile.picture(at: picture)
            } catch {
                throw AccountError.picture(error)
            }
        }
        if noPicture { own.picture = nil }
        let isChanged = await own != account.ownProfile || profile.displayName != nil
        try await account.setProfile(own)
        if isChanged {
            for contact in await account.contacts() where contact.isConnected && !contact.isBlocked {
                try await account.waitUntilSent(to: contact.id)
            }
        }
        printer.profile(await account.ownProfile)
    }
}
