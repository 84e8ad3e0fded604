import Calling
import Foundation
import Media
import Relay
import Signaling
import TestSupport

@testable import Parley

/// A real relay and real accounts over loopback, in a folder of their own.
actor Neighbourhood {
    let folder: TemporaryFolder
    let server: RelayServer
    let relay: String
    private var accounts: [Account] = []

    init() async throws {
        folder = try TemporaryFolder()
        server = RelayServer(
            configuration: RelayConfiguration(host: "127.0.0.1", port: 0, stateDirectory: folder.file("relay")))
        relay = try await server.start().text
    }

    /// Runs a test in a neighbourhood of its own and closes everything afterwards.
    static func with(
        within limit: Duration = .seconds(110), _ body: @escaping @Sendable (Neighbourhood) async throws -> Void
    ) async throws {
        let neighbourhood = try await Neighbourhood()
        do {
            try await limited("the test", to: limit) { try await body(neighbourhood) }
        } catch {
            await neighbourhood.close()
            throw error
        }
        await neighbourhood.close()
    }

    func configuration(_ name: String) -> AccountConfiguration {
        var configuration = AccountConfiguration(directory: folder.file(name))
        configuration.displayName = name
        configuration.storeKey = .keyFile
        configuration.relays = .external([relay])
        configuration.camera = .test
        configuration.microphone = .test
        configuration.speaker = .none
        return configuration
    }

    func open(
        _ name: String, _ change: @Sendable (inout AccountConfiguration) -> Void = { _ in }
    ) async throws -> Account {
        var configuration = configuration(name)
        change(&configuration)
        let account = try await Account.open(configuration)
        accounts.append(account)
        return account
    }

    func close() async {
        for account in accounts { await account.close() }
        await server.stop()
    }
}

/// Two accounts that know each other.
struct Pair: Sendable {
    let ann: Account
    let bob: Account
    /// Ann, as Bob has her.
    let contactAnn: Contact
    /// Bob, as Ann has him.
    let contactBob: Contact

    /// Opens both and connects them by an invitation.
    init(
        _ neighbourhood: Neighbourhood, ann: @Sendable (inout AccountConfiguration) -> Void = { _ in },
        bob: @Sendable (inout AccountConfiguration) -> Void = { _ in }
    ) async throws {
        let first = try await neighbourhood.open("Ann", ann)
        let second = try await neighbourhood.open("Bob", bob)
        let invitation = try await first.makeInvitation()
        async let joined = second.connect(link: invitation.link)
        contactBob = try await invitation.connected()
        contactAnn = try await joined
        self.ann = first
        self.bob = second
    }

    /// Ann calls Bob: both ends of a call that rings.
    func ring(_ media: CallMedia = .video) async throws -> (ann: Call, bob: Call) {
        let outgoing = try await ann.call(contactBob, media: media)
        return (outgoing, try await bob.incoming(outgoing.id))
    }

    /// Ann calls Bob, who accepts: both ends of a call that is on.
    func talk(_ media: CallMedia = .video, answeredWith answer: CallMedia? = nil) async throws -> (ann: Call, bob: Call)
    {
        let (ann, bob) = try await ring(media)
        try await bob.accept(media: answer ?? media)
        try await ann.state("Ann is connected") { $0.isActive }
        try await bob.state("Bob is connected") { $0.isActive }
        return (ann, bob)
    }
}

extension Account {
    /// Waits for somebody to call; the identifier is the same on both sides.
    nonisolated func incoming(_ id: CallID) async throws -> Call {
        try await limited("a call arrives") { [updates] in
            for await update in updates {
                if case .incoming(let call) = update, call.id == id { return call }
            }
            throw Overdue("The account was closed before the call came.")
        }
    }
}

extension Call {
    /// Waits for a state.
    @discardableResult
    func state(_ what: String, where isWanted: @escaping @Sendable (CallState) -> Bool) async throws -> CallState {
        try await limited(what) { [states = states()] in
            var last: CallState?
            for await state in states {
                last = state
                if isWanted(state) { return state }
            }
            throw Overdue("Before “\(what)” the call ended: \(String(describing: last?.phase))")
        }
    }

    /// Waits for the end.
    func endReason() async throws -> CallEndReason {
        let state = try await state("the call ends") { $0.endReason != nil }
        guard let reason = state.endReason else { throw Overdue("no reason") }
        return reason
    }

    /// Waits until so many frames of both kinds came.
    func receives(video: Int, audio: Int) async throws {
        do {
            try await waitUntil("\(video) pictures and \(audio) sound frames have come", within: .seconds(40)) {
                let received = await summary().received
                return received.videoFrames >= video && received.audioFrames >= audio
            }
        } catch let overdue as Overdue {
            throw Overdue("\(overdue) \(state) \(await summary())")
        }
    }
}

extension CallState {
    var isActive: Bool { if case .active = phase { true } else { false } }

    var endReason: CallEndReason? { if case .ended(let reason) = phase { reason } else { nil } }
}
