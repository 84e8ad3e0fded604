import Foundation
import Parley
import Wording

/// Asks on the terminal, without showing what is typed.
struct Terminal: PassphraseSource {
    private static let limit = 4_096

    /// What the passphrase is for.
    enum Purpose: Sendable {
        case profile
        case profileFile
    }

    var purpose = Purpose.profile

    func passphrase(_ request: PassphraseRequest) async -> Passphrase? {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        switch request {
        case .open(let isRepeat):
            let question = isFile ? tr("Passphrase of the file: ") : tr("Passphrase of the profile: ")
            return ask(isRepeat ? tr("Wrong. Passphrase of the profile: ") : question, descriptor)
        case .new:
            let question = isFile ? tr("Passphrase for the file: ") : tr("New passphrase for the profile: ")
            guard let first = ask(question, descriptor),
                let second = ask(tr("The same again: "), descriptor)
            else { return nil }
            guard first == second else {
                tell(tr("These were two different passphrases.\n"), descriptor)
                return nil
            }
            return first
        }
    }

    private var isFile: Bool { purpose == .profileFile }

    private func ask(_ question: String, _ descriptor: Int32) -> Passphrase? {
        var before = termios()
        guard tcgetattr(descriptor, &before) == 0 else { return nil }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(descriptor, TCSAFLUSH, &silent)
        defer {
            tcsetattr(descriptor, TCSAFLUSH, &before)
            tell("\n", descriptor)
        }
        tell(question, descriptor)
        return SecretLine.read(from: descriptor, limit: Self.limit)
    }

    private func tell(_ text: String, _ descriptor: Int32) {
        _ = text.utf8.withContiguousStorageIfAvailable { write(descriptor, $0.baseAddress, $0.count) }
    }
}
