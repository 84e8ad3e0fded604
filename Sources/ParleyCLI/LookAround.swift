import ArgumentParser
import Foundation
import Parley
import Wording

/// `parley-cli nearby`: becomes a contact of somebody in the same network, without any server.
struct LookAround: ProfileCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby", abstract: "Find somebody in this network and become contacts by comparing a code.",
        discussion: """
            Others in the network who look around, too, see your name meanwhile. Without a name the command lists who is there and \
            waits to be asked; with one it asks that person as soon as they are there. Both of you then see a code: answer yes \
            only if it is the same one. Use --own-relay where you have no relay.
            """)

    @Argument(help: "Whom to ask, as they are listed.")
    var person: String?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let surroundings = try await account.lookAround()
        do {
            try await look(surroundings, printer)
        } catch {
            await surroundings.leave()
            throw error
        }
        await surroundings.leave()
    }

    private func look(_ surroundings: Surroundings, _ printer: EventPrinter) async throws {
        printer.event("looking", sentence: .tr("Looking for people nearby…"))
        var known: Set<PersonNearby> = []
        for await update in surroundings.updates {
            switch update {
            case .people(let people):
                for one in people where !known.contains(one) {
                    printer.event("person", ["name": .string(one.name)], sentence: PlainLine(one.name))
                }
                known = Set(people)
                guard let wanted = people.first(where: { $0.name == person }) else { continue }
                return try await follow(try await surroundings.meet(wanted.id), printer)
            case .meeting(let meeting): return try await follow(meeting, printer)
            }
        }
        try Task.checkCancellation()
    }

    private func follow(_ meeting: NearbyMeeting, _ printer: EventPrinter) async throws {
        for await update in meeting.updates {
            switch update {
            case .compare(let code, let name):
                printer.event(
                    "compare", ["code": .string(code), "name": .string(name)],
                    sentence: .tr("%1$s: does %2$s show the code, too? (yes or no)", code, name))
                // On a thread of its own: nobody knows when the answer comes.
                Thread.detachNewThread {
                    if EventPrinter.isYes(readLine()) { meeting.confirm() } else { meeting.refuse() }
                }
            case .connecting: printer.event("connecting", sentence: .tr("Connecting…"))
            case .connected(let contact): return printer.connected(contact)
            case .failed(let failure): throw failure
            }
        }
        try Task.checkCancellation()
    }
}
