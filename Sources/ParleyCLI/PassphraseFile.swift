import ArgumentParser
import Foundation
import Parley
import Wording

/// A passphrase in the first line of a file.
struct PassphraseFile: PassphraseSource {
    private static let limit = 4_096
    let path: String

    static func check(_ path: String) throws {
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw ValidationError(tr("The file “%s” can't be read.", path))
        }
    }

    func passphrase(_ request: PassphraseRequest) async -> Passphrase? {
        // A second time it would be as wrong as the first.
        guard request != .open(isRepeat: true) else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return SecretLine.read(from: descriptor, limit: Self.limit)
    }
}
