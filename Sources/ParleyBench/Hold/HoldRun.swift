import BaseKit
import Calling
import Foundation
import Media
import MediaRules
import Parley
import Signaling

/// Measures how long a call on hold takes to come back when its person changes to it from another one.
enum HoldRun {
    /// When sound and picture of the other side were there, in milliseconds since the wish.
    struct End: Sendable, Equatable {
        var sound = 0.0
        var picture = 0.0
    }

    /// One change.
    struct Times: Sendable, Equatable {
        /// At the one who changes.
        var here = End()
        /// At the one they change to.
        var there = End()

        var longest: Double { max(here.sound, here.picture, there.sound, there.picture) }
    }

    /// How often it is looked, and how long a call may take to do what is expected of it.
    private static let interval: Duration = .milliseconds(4), patience: Duration = .seconds(30)
    /// How long both calls are left alone between two changes.
    private static let rest: Duration = .milliseconds(1_500)

    /// Makes both calls and changes between them. Throws `AccountError`, `CallError` and ``BenchError/call(_:)``.
    static func measure(swaps: Int) async throws -> [Times] {
        let folder = NSTemporaryDirectory() + "parley-bench-hold-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let relay = try await EmbeddedRelay(host: "127.0.0.1", port: 0, stateDirectory: folder + "/relay")
        var accounts: [Account] = []
        do {
            for name in ["Busy", "First", "Second"] {
                accounts.append(try await open(name, in: folder, relay: relay.address.text))
            }
            let times = try await measure(swaps, accounts[0], [accounts[1], accounts[2]])
            for account in accounts { await account.close() }
            await relay.stop()
            return times
        } catch {
            for account in accounts { await account.close() }
            await relay.stop()
            throw error
        }
    }

    private static func open(_ name: String, in folder: String, relay: String) async throws -> Account {
        var configuration = AccountConfiguration(directory: folder + "/" + name)
        configuration.displayName = name
        configuration.relays = .external([relay])
        configuration.storeKey = .unkept
        configuration.camera = .test
        configuration.microphone = .test
        configuration.speaker = .none
        configuration.mostCalls = 4
        return try await Account.open(configuration)
    }

    private static func measure(_ swaps: Int, _ person: Account, _ others: [Account]) async throws -> [Times] {
        // The last one that was taken is on; the ones before are on hold.
        var calls: [(here: Call, there: Call)] = []
        for other in others {
            let invitation = try await person.makeInvitation()
            async let joined = other.connect(link: invitation.link)
            _ = try await invitation.connected()
            let there = try await other.call(try await joined, media: .video)
            let here = try await incoming(there.id, at: person)
            try await here.accept(media: .video, present: calls.isEmpty ? nil : .hold)
            calls.append((here, there))
            for call in [here, there] {
                _ = try await first(after: Counts(), at: call, since: .now)
            }
        }
        var times: [Times] = []
        for swap in 0..<swaps {
            try await Task.sleep(for: rest)
            let (here, there) = calls[swap % 2]
            guard here.state.hold.isHeldHere else { throw BenchError.call("the other call is not on hold") }
            let before = (here: await Counts(here), there: await Counts(there))
            let wish = Instant.now
            async let atPerson = first(after: before.here, at: here, since: wish)
            async let atOther = first(after: before.there, at: there, since: wish)
            try await here.resume()
            times.append(Times(here: try await atPerson, there: try await atOther))
        }
        for call in calls { await call.here.hangUp() }
        return times
    }

    private static func incoming(_ id: CallID, at account: Account) async throws -> Call {
        for await update in account.updates {
            if case .incoming(let call) = update, call.id == id { return call }
        }
        throw BenchError.call("the account was closed")
    }

    /// What has been decoded.
    private struct Counts: Sendable {
        var sound = 0
        var pictures = 0

        init() {}

        init(_ call: Call) async {
            let received = await call.summary().received
            (sound, pictures) = (received.audioFrames, received.videoFrames)
        }
    }

    /// When the next sound and the next picture were there.
    private static func first(after before: Counts, at call: Call, since wish: Instant) async throws -> End {
        var (sound, picture): (Double?, Double?)
        while Instant.now - wish < patience {
            let now = await Counts(call)
            let elapsed = (Instant.now - wish) / .milliseconds(1)
            if sound == nil, now.sound > before.sound { sound = elapsed }
            if picture == nil, now.pictures > before.pictures { picture = elapsed }
            if let sound, let picture { return End(sound: sound, picture: picture) }
            try await Task.sleep(for: interval)
        }
        throw BenchError.call("sound or picture did not come back")
    }
}
