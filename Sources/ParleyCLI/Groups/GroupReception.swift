import Calling
import Parley
import Wording

/// Waits for invitations to group calls, of which there is one at a time.
struct GroupReception {
    let account: Account
    let printer: EventPrinter
    let follower: GroupFollower

    /// Follows each call that rings until the task is cancelled, or with `once` to the end of the first one.
    /// - Returns: Whether in the last one everybody was seen and heard; nil when there was none.
    func listen(_ first: CallReception.First, once: Bool) async -> Bool? {
        var last: Bool?
        for await update in account.updates {
            guard case .incomingGroup(let call) = update else { continue }
            tell(call)
            async let outcome = follower.follow(call, in: account)
            switch first {
            case .accept: await call.accept(media: call.state.media)
            case .decline: await call.decline()
            case .ring: break
            }
            last = await outcome
            if once { break }
        }
        return last
    }

    private func tell(_ call: GroupCall) {
        let state = call.state
        let names = state.members.map(\.name)
        let from = call.contact?.name ?? Contact.unknownName
        var values: [String: EventValue] = [
            "call": .string(call.id.description), "contact": .string(from),
            "media": .string(state.media.rawValue), "members": .array(names.map(EventValue.string)),
        ]
        if let adding = state.adding {
            values["adding"] = .array(adding.map(EventValue.string))
            return printer.event(
                "incomingGroup", values,
                sentence: .tr("%1$s wants to add %2$s to the call.", from, adding.joined(separator: ", ")))
        }
        printer.event(
            "incomingGroup", values,
            sentence: .tr("%1$s calls you into a call with %2$s.", from, names.joined(separator: ", ")))
    }
}
