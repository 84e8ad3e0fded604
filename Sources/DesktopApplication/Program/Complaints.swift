import Wording

/// Tells what went wrong in the main window, each time with a button that helps, where something inside the program does.
@MainActor final class Complaints {
    /// The window; without it nothing is told.
    weak var window: MainWindow?
    /// Is told what the person chooses, except to do the same once more.
    var onChoice: @MainActor (Remedy) -> Void = { _ in }

    /// Tells an error.
    /// - Parameters:
    ///   - contact: Whom it is about, where it is about somebody.
    ///   - again: Does once more what has failed.
    func tell(
        _ error: any Error, about contact: ContactItem? = nil, again: (@MainActor () -> Void)? = nil
    ) {
        tell(sentence(of: error), Remedy(error, about: contact?.id), again: again)
    }

    /// Tells a sentence with what helps.
    func tell(_ sentence: String, _ remedy: Remedy?, again: (@MainActor () -> Void)? = nil) {
        guard let window else { return }
        switch remedy {
        case nil: window.toast(sentence)
        case .tryAgain:
            guard let again else { return window.toast(sentence) }
            window.complain(sentence, button: Self.label(.tryAgain), onPress: again)
        case let remedy?:
            window.complain(sentence, button: Self.label(remedy)) { [weak self] in self?.onChoice(remedy) }
        }
    }

    /// What is written on the button.
    static func label(_ remedy: Remedy) -> String {
        switch remedy {
        case .tryAgain: tr("Try Again")
        case .reach: tr("How People Reach You…")
        case .preferences: tr("Open Preferences")
        case .addContact: tr("Add a contact")
        case .unblock: tr("Unblock")
        case .write: tr("Write a message")
        case .compare: tr("Compare…")
        case .call: tr("Call again")
        }
    }
}
