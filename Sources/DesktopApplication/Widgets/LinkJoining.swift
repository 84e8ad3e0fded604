import Wording

/// Connecting by somebody's link, with the question that may come before it.
@MainActor struct LinkJoining {
    /// How far it has come.
    enum Step {
        /// The person does not want it that way.
        case left
        /// It is under way, as the person agreed.
        case agreed
        /// It goes on by itself, also after a restart; the owner of an address has to accept first.
        case begun(LinkKindItem)
        /// It is done.
        case connected(ContactItem)
        /// It is not done, for the reason in this sentence.
        case failed(String)
    }

    let provider: any LinkProvider & ReachProvider
    /// Shows a question, unless one of the kind is open; says whether it does.
    let ask: @MainActor (() -> any Dialog) -> Bool

    /// Connects; a question lies over `parent`.
    func run(_ link: String, over parent: Widget, _ tell: @MainActor (Step) -> Void) async {
        do {
            if let relay = await provider.relayToShare(with: link) {
                guard await isShared(over: parent) else { return tell(.left) }
                tell(.agreed)
                try await provider.useRelay(relay, asksForAddress: true)
            }
            let pending = try await provider.join(link: link)
            tell(.begun(pending.kind))
            tell(.connected(try await pending.connected()))
        } catch {
            tell(.failed(sentence(of: error)))
        }
    }

    /// Asks whether the own mailbox is to be on the relay of who made the link.
    private func isShared(over parent: Widget) async -> Bool {
        await withCheckedContinuation { continuation in
            let isAsked = ask {
                MessageDialog(
                    over: parent, heading: tr("Use their relay, too?"),
                    body: tr(
                        "Nobody else reaches the relay that you have. Your mailbox can be on the relay of who sent you the link. It then sees your network addresses, and when both of you are online or in a call."
                    ),
                    responses: [
                        .init(id: "no", label: tr("Cancel")),
                        .init(id: "yes", label: tr("Use Their Relay"), style: .suggested),
                    ]
                ) { continuation.resume(returning: $0 == "yes") }
            }
            if !isAsked { continuation.resume(returning: false) }
        }
    }
}
