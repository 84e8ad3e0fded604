import GLibKit
import Wording

/// Asks whether a call may go on although the other side does not encrypt sound and picture end to end.
@MainActor enum ClearMediaDialog {
    /// Asks about a call that was dialled; `onAnswer` gets true only for an explicit yes.
    static func make(
        over parent: Widget, name: String, onAnswer: @escaping @MainActor (Bool) -> Void
    ) -> MessageDialog {
        make(
            over: parent, heading: tr("Go on without end-to-end encryption?"), name: name,
            no: tr("End call"), yes: tr("Go on anyway"), onAnswer: onAnswer)
    }

    /// Asks about a call that rings, and rings on without a yes; `onYes` is called only for an explicit one.
    static func make(
        over parent: Widget, acceptingFrom name: String, onYes: @escaping @MainActor () -> Void
    ) -> MessageDialog {
        make(
            over: parent, heading: tr("Accept without end-to-end encryption?"), name: name,
            no: tr("Back"), yes: tr("Accept anyway")
        ) { if $0 { onYes() } }
    }

    private static func make(
        over parent: Widget, heading: String, name: String, no: String, yes: String,
        onAnswer: @escaping @MainActor (Bool) -> Void
    ) -> MessageDialog {
        MessageDialog(
            over: parent, heading: heading,
            body: tr("%s’s program protects sound and picture on the way only, not from end to end.", name),
            responses: [.init(id: "no", label: no), .init(id: "yes", label: yes, style: .destructive)],
            preferred: "no"
        ) { onAnswer($0 == "yes") }
    }
}
