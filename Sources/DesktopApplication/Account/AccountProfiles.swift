import Parley
import Wording

/// The person's profiles behind the windows: the first in its usual folder, others beside it.
@MainActor final class AccountProfiles: ProfileSource {
    private let file: ProfileShelfFile
    private let configuration: AccountConfiguration
    private let passphraseFile: String?
    private let welcomes: Bool
    private var hasPrepared = false

    /// Profiles around the folder of this configuration, which is that of the first. Name, relays and passphrase that a command line gives
    /// are for the profile that is shown at first.
    init(_ configuration: AccountConfiguration, passphraseFile: String?, welcomes: Bool) {
        (self.configuration, self.passphraseFile, self.welcomes) = (configuration, passphraseFile, welcomes)
        file = ProfileShelfFile(first: configuration.directory)
    }

    var taken: Set<Int> { file.taken }

    func read() -> (shelf: ProfileShelf, loss: String?) {
        let (shelf, loss) = file.read()
        return (shelf, loss?.sentence)
    }

    func write(_ shelf: ProfileShelf) throws { try file.write(shelf) }

    func makeProvider(of id: Int) -> any CallProvider {
        defer { hasPrepared = true }
        guard hasPrepared else {
            return AccountProvider(configuration(of: id), passphraseFile: passphraseFile, welcomes: welcomes)
        }
        var other = configuration(of: id)
        other.displayName = nil
        other.relays = .embedded(host: "127.0.0.1", port: 0)
        if other.storeKey == .passphrase { other.storeKey = .automatic }
        return AccountProvider(other, welcomes: true)
    }

    func wipe(_ id: Int) async throws { try await ProfileRemoval.run(configuration(of: id)) }

    private func configuration(of id: Int) -> AccountConfiguration {
        var configuration = configuration
        configuration.directory = file.folder(of: id)
        return configuration
    }
}
