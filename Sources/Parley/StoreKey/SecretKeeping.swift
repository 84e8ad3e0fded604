import Cryptography
import Keyring

/// The desktop's keyring, as far as a profile's key needs it. All throw `KeyringError`.
protocol SecretKeeping: Sendable {
    /// - Parameter mayAsk: Whether the person may be asked to unlock it.
    func secret(named name: String, mayAsk: Bool) async throws -> SecretBytes?
    func keep(_ secret: SecretBytes, named name: String, label: String, mayAsk: Bool) async throws
    func forget(named name: String, mayAsk: Bool) async throws
    func unlock() async throws
    /// What keeps it from being used without a question, nil where nothing does; now, and whenever that changes.
    func states() -> AsyncStream<KeyringError?>
    /// Waits until the secret can be read without asking. Throws `CancellationError` only.
    func waitUntilOpen(named name: String) async throws
}

extension SecretService: SecretKeeping {}
