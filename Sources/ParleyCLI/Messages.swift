import ArgumentParser
import Foundation
import Parley
import Wording

/// `parley-cli send NAME TEXT`: writes a short message.
struct SendMessage: ProfileCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Write a short message to a contact.",
        discussion:
            "It waits until the contact's relay has taken the message. One that can't leave now goes out at a later start."
    )

    @Argument(help: ArgumentHelp("The contact's name.", valueName: "NAME"))
    var name: String

    @Argument(help: ArgumentHelp("What to write.", valueName: "TEXT"))
    var text: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    /// How long a relay is waited for.
    private static let patience = Duration.seconds(15)

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let contact = try await account.contact(named: name)
        let messages = account.messages(with: contact.id)
        let message = try await account.send(text: text, to: contact.id)
        let alarm = Task {
            try await Task.sleep(for: Self.patience)
            return
        }
        let state = await withTaskGroup(of: TextMessage.State?.self) { group in
            group.addTask {
                for await list in messages {
                    guard let own = list.first(where: { $0.id == message.id }) else { continue }
                    if let state = own.state, state != .waiting { return state }
                }
                return nil
            }
            group.addTask {
                try? await alarm.value
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        alarm.cancel()
        try Task.checkCancellation()
        let fields: EventPrinter.Fields = ["contact": .string(contact.name), "number": .number(Int(message.id))]
        switch state {
        case nil, .waiting:
            printer.last(
                "waiting", fields, sentence: .tr("The message to %s waits and goes out at a later start.", contact.name)
            )
        case .sent, .delivered:
            printer.last("sent", fields, sentence: .tr("The message to %s was sent.", contact.name))
        case .failed:
            printer.last("failed", fields, sentence: .tr("The message to %s could not be sent.", contact.name))
            throw ExitCode.failure
        }
    }
}

/// `parley-cli messages NAME`: shows the short messages with a contact.
struct ShowMessages: ProfileCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "Show the short messages with a contact, oldest first.",
        discussion: "The last 200 are kept. What is shown counts as read.")

    @Argument(help: ArgumentHelp("The contact's name.", valueName: "NAME"))
    var name: String

    @Option(help: ArgumentHelp("Show only the last so many.", valueName: "N"))
    var limit: Int?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError(tr("--limit needs a number above 0.")) }
    }

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let contact = try await account.contact(named: name)
        var messages: [TextMessage] = []
        for await list in account.messages(with: contact.id) {
            messages = list
            break
        }
        if messages.isEmpty, !output.isJSON {
            printer.event("none", sentence: .tr("There are no messages with %s.", contact.name))
        }
        for message in messages.suffix(limit ?? .max) {
            printer.event("message", message.fields(contact), sentence: MessageLine(message, contact).line)
        }
        try await account.markRead(contact.id)
    }
}

extension TextMessage {
    /// For programs that read along.
    func fields(_ contact: Contact) -> EventPrinter.Fields {
        var fields: EventPrinter.Fields = [
            "contact": .string(contact.name), "number": .number(Int(id)), "direction": isOwn ? "outgoing" : "incoming",
            "text": .string(text), "sent": .number(Int(sentAt)), "arrived": .number(Int(arrivedAt)),
        ]
        fields["state"] = state.map { .string($0.rawValue) }
        fields["attachment"] = attachment.map { .string($0.sentence) }
        if isEdited { fields["edited"] = .boolean(true) }
        if isDeleted { fields["deleted"] = .boolean(true) }
        return fields
    }
}

/// A message for a person who reads along: time, who wrote it, what it says. Further lines are indented, so that none can pass for
/// another message.
struct MessageLine {
    let line: PlainLine

    init(_ message: TextMessage, _ contact: Contact, zone: TimeZone = .current) {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = zone
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        let time = formatter.string(from: Date(timeIntervalSince1970: TimeInterval(message.sentAt)))
        let who = message.isOwn ? tr("You") : contact.name
        let lines = message.words.split(separator: "\n", omittingEmptySubsequences: false)
        var notes: [String] = []
        if let state = message.state, state == .waiting || state == .failed { notes.append(state.sentence) }
        if message.isEdited { notes.append(tr("edited")) }
        let note = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
        line = PlainLine(
            lines: ["\(time)  \(who)\(note): \(String(lines.first ?? ""))"]
                + lines.dropFirst().map { "    \(String($0))" })
    }
}
