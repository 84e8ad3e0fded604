/// Pretended contacts and calls, for work on the windows and for their tests. Each contact behaves as its name says.
@MainActor final class FakeProvider: CallProvider {
    let updates: AsyncStream<ProviderUpdate>
    private let channel: AsyncStream<ProviderUpdate>.Continuation
    private var contacts: [ContactItem] = []
    private let pause: Duration

    /// `pause` is how long each step of a pretended call takes.
    init(pause: Duration = .milliseconds(600)) {
        (updates, channel) = AsyncStream.makeStream()
        self.pause = pause
    }

    func start() async {
        channel.yield(.starting("Starting the relay of this computer…"))
        try? await Task.sleep(for: pause)
        contacts = [
            FakeScript.answers, FakeScript.declines, FakeScript.callsBack, FakeScript.mutes, FakeScript.isOpen,
            FakeScript.isAway,
        ].map(\.contact)
        channel.yield(.contacts(contacts))
        channel.yield(.ready)
    }

    func makeInvitation() async throws -> InvitationItem {
        let pause = pause
        return InvitationItem(link: "https://parley.invalid/invitation#/?v=2-7&smp=pretended") { [weak self] in
            try await Task.sleep(for: pause * 24)
            let contact = ContactItem(id: "invited", name: "Invited friend", isTestCall: false, isConnected: true)
            await self?.add(contact)
            return contact
        }
    }

    func connect(link: String) async throws -> ContactItem {
        try await Task.sleep(for: pause)
        guard link.contains("://") else { throw ProviderError(description: "This is not a link that Parley can open.") }
        let contact = ContactItem(id: "joined", name: "Friend by link", isTestCall: false, isConnected: true)
        add(contact)
        return contact
    }

    func call(_ contact: ContactItem, kind: CallKind) async throws -> any CallSession {
        let script = FakeScript(rawValue: contact.id) ?? .answers
        guard script != .isAway else { throw ProviderError(description: "\(contact.name) has not connected yet.") }
        if script == .callsBack { ringSoon(contact) }
        return FakeCall(contact: contact, kind: kind, script: script, isIncoming: false, pause: pause)
    }

    func close() async { channel.finish() }

    private func add(_ contact: ContactItem) {
        if !contacts.contains(where: { $0.id == contact.id }) { contacts.append(contact) }
        channel.yield(.contacts(contacts))
    }

    private func ringSoon(_ contact: ContactItem) {
        Task { [pause, channel] in
            try? await Task.sleep(for: pause * 4)
            channel.yield(
                .incoming(FakeCall(contact: contact, kind: .video, script: .answers, isIncoming: true, pause: pause)))
        }
    }
}

/// How a pretended contact behaves.
enum FakeScript: String {
    case answers, declines, callsBack, mutes, isOpen, isAway

    /// The contact that behaves so.
    var contact: ContactItem {
        let name =
            switch self {
            case .answers: "Test call"
            case .declines: "Dora Declines"
            case .callsBack: "Cem Calls-Back"
            case .mutes: "Mia Mutes"
            case .isOpen: "Otto Old-Program"
            case .isAway: "Not yet connected"
            }
        return ContactItem(id: rawValue, name: name, isTestCall: self == .answers, isConnected: self != .isAway)
    }
}
