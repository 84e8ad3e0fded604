import Calling
import Foundation
import MediaRules
import Signaling

/// A whole call on this machine: a relay, an echo peer and a caller as three real parties over loopback, or the latter two with
/// a relay that is there.
public struct TestCall: Sendable {
    /// The relay of both sides, as `smp://FINGERPRINT@HOST:PORT`; nil starts one for the call.
    public var relay: String?
    /// Sound, or sound and picture.
    public var media = CallMedia.video
    /// Where the caller's picture comes from.
    public var camera = CameraSource.test
    /// Where the caller's sound comes from.
    public var microphone = MicrophoneSource.test
    /// Where the caller hears the other side, which repeats what it hears.
    public var speaker = SpeakerSink.none
    /// What may be done with the sound of the caller's microphone.
    public var allowedSoundProcessing = SoundProcessing()
    /// How the caller's pictures are sent; nil: as most people want it.
    public var pictures: PictureChoices?

    /// A video call with test picture and tone.
    public init() {}

    /// Starts the parties, dials, and hands the call to `follow`, which returns when the call has ended.
    /// - Returns: What `follow` returned.
    /// - Throws: `AccountError` when a party does not start or the two don't connect.
    public func run<Result: Sendable>(
        _ follow: @escaping @Sendable (Call) async throws -> Result
    ) async throws -> Result {
        let folder = NSTemporaryDirectory() + "parley-test-call-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if let relay { return try await run(in: folder, relay: relay, ownRelay: nil, follow) }
        let own = try await EmbeddedRelay(host: "127.0.0.1", port: 0, stateDirectory: folder + "/relay")
        return try await run(in: folder, relay: own.address.text, ownRelay: own, follow)
    }

    private func run<Result: Sendable>(
        in folder: String, relay: String, ownRelay: EmbeddedRelay?,
        _ follow: @escaping @Sendable (Call) async throws -> Result
    ) async throws -> Result {
        var configuration = AccountConfiguration(directory: folder + "/caller")
        configuration.displayName = "Caller"
        configuration.relays = .external([relay])
        configuration.storeKey = .unkept
        configuration.camera = camera
        configuration.microphone = microphone
        configuration.speaker = speaker
        configuration.allowedSoundProcessing = allowedSoundProcessing
        configuration.pictures = pictures
        configuration.drawsPictures = false
        let caller = try await Account.open(configuration)
        let echo = try await EchoPeer(directory: folder + "/echo", relay: relay)
        do {
            let invitation = try await caller.makeInvitation()
            await caller.changeBook(of: invitation.id) { $0.markTestCall(invitation.id, name: EchoPeer.displayName) }
            async let joined: Void = echo.connect(link: invitation.link)
            let contact = try await invitation.connected()
            try await joined
            let result = try await withTaskCancellationHandler {
                try await follow(try await caller.call(contact, media: media))
            } onCancel: {
                Task { await caller.hangUpAll() }
            }
            await Self.close(caller, echo, ownRelay)
            return result
        } catch {
            await Self.close(caller, echo, ownRelay)
            throw error
        }
    }

    private static func close(_ caller: Account, _ echo: EchoPeer, _ relay: EmbeddedRelay?) async {
        await caller.flush()
        await caller.abandonQueues()
        await caller.close()
        await echo.close()
        await relay?.stop()
    }
}
