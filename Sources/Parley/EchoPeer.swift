import Foundation
import MediaRules

/// The contact "Test call": a second, complete endpoint inside the program, with its own profile, agent and peer session,
/// that answers every call and sends back the picture and sound it receives.
actor EchoPeer {
    private let account: Account
    private var answering: Task<Void, Never>?

    /// Opens the endpoint with a new profile in `directory`; what was there is removed first.
    ///
    /// `servers`: those of the account, so that calls which go only through a relay find this end too.
    init(
        directory: String, relay: String, servers: [ICEServer] = [], networkRelays: NetworkRelays? = nil
    ) async throws {
        try? FileManager.default.removeItem(atPath: directory)
        var configuration = AccountConfiguration(directory: directory)
        configuration.displayName = Self.displayName
        configuration.relays = .external([relay])
        configuration.storeKey = .unkept
        configuration.callServers = servers
        configuration.networkRelays = networkRelays
        configuration.camera = .echo
        configuration.microphone = .echo
        configuration.speaker = .none
        configuration.drawsPictures = false
        account = try await Account.open(configuration)
    }

    static let displayName = Contact.testCallName
    /// Where its profile is, in that of the account.
    static let folderName = "test-call"

    /// Connects by the link of the account that shows this contact, and answers from then on.
    func connect(link: String) async throws {
        answering = Task { [account] in
            for await update in account.updates {
                if case .incoming(let call) = update { try? await call.accept(media: call.media) }
            }
        }
        _ = try await account.connect(link: link)
    }

    /// The next one begins anew: this one's queues leave their relays, where nobody would ever look for them.
    func close() async {
        answering?.cancel()
        await account.abandonQueues()
        await account.close()
    }
}
