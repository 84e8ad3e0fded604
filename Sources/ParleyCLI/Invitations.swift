import ArgumentParser
import Foundation
import Parley
import Signaling
import Wording

/// `parley-cli invitations`: lists the calls that came in and are not settled.
struct Invitations: ProfileCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the calls that came in and that nobody has taken, declined or missed yet, oldest first.",
        discussion: """
            A call that rang when the program was killed stands here until it rings again, the caller gives it up, or it is too \
            old. "listen" takes it.
            """)

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        // What waits at the relay may end one of them.
        try await account.settleRelays()
        let invitations = await account.invitations()
        if invitations.isEmpty, !output.isJSON { printer.event("none", sentence: .tr("No call waits.")) }
        for call in invitations { printer.invitation(call) }
    }
}

extension EventPrinter {
    /// A call that waits for an answer.
    func invitation(_ call: PendingCall) {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
        let time = formatter.string(from: Date(timeIntervalSince1970: TimeInterval(call.arrivedAt)))
        let kind = call.media == .video ? tr("video") : tr("sound")
        event(
            "invitation",
            [
                "call": .string(call.id.description), "contact": .string(call.contact.name),
                "media": .string(call.media.rawValue), "arrived": .number(Int(call.arrivedAt)),
                "profile": .string(call.profile),
            ], sentence: .tr("%1$s  from %2$s (%3$s), to %4$s", time, call.contact.name, kind, call.profile))
    }
}
