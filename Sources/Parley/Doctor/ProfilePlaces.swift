import Agent
import Cryptography
import Foundation
import MediaRules

/// The relays and servers that a profile remembers.
public struct ProfilePlaces: Sendable, Equatable {
    /// As `smp://FINGERPRINT@HOST:PORT`; none when it uses the relay inside the window program.
    public var relays: [String]
    /// STUN and TURN servers, and how calls use them.
    public var servers: CallServers
    /// The server for calls of more than four people; nil without one.
    public var callServer: GroupServer?
    /// How the file fares that the profile's settings are in.
    public var settings: Finding

    /// Reads them from a profile that exists. Its settings, keys and contacts stay as they are, and nobody is connected to; the store is
    /// opened and closed, which changes its files.
    /// - Parameter passphrases: Asked where the profile is kept under a passphrase.
    /// - Throws: `AccountError`.
    public init(of path: String, passphrases: (any PassphraseSource)?) async throws(AccountError) {
        guard FileManager.default.fileExists(atPath: path + "/agent.sqlite") else { throw .folder(path) }
        let directory = try ProfileDirectory(path: path)
        let lock = try ProfileLock(directory)
        defer { lock.release() }
        let kept = try StoredSettings.relaysAsKept(in: directory)
        relays = kept ?? []
        settings = Self.finding(directory.file(StoredSettings.fileName), isWhole: kept != nil)
        let keeper = StoreKeyKeeper(
            directory: directory, keyring: AccountConfiguration(directory: path).keyring, passphrases: passphrases,
            cost: .moderate)
        (servers, callServer) = try await Self.servers(directory, key: try await keeper.find())
    }

    private static func finding(_ file: String, isWhole: Bool) -> Finding {
        guard !isWhole else { return Finding(.settings, .ok, .settings) }
        return Finding(.settings, of: file, .problem, .settingsLost)
    }

    private static func servers(
        _ directory: ProfileDirectory, key: SecretBytes
    ) async throws(AccountError) -> (CallServers, GroupServer?) {
        do {
            let agent = try await Agent(
                configuration: AgentConfiguration(directory: directory.path, storeKey: key, relays: []))
            let kept = try await agent.applicationData(Account.callServersName)
            let keptCallServer = try await agent.applicationData(Account.groupServerName)
            await agent.stop()
            return (
                try kept.map(CallServers.init(decoding:)) ?? CallServers(),
                try keptCallServer.map(GroupServer.init(decoding:))
            )
        } catch let error as AccountError {
            throw error
        } catch {
            throw .store(StoreFault(error))
        }
    }
}
