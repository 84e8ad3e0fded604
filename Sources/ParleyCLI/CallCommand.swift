import ArgumentParser
import BaseKit
import Foundation
import MediaRules
import Parley

/// What can be said to a call while it lasts, a line each.
enum CallCommand: Equatable, Sendable {
    /// Share the screen: what the desktop lets choose, or a test picture or film.
    case share(SharedScreen)
    case unshare
    case camera(Bool)
    case microphone(Bool)
    /// Use another device, by name or id; nil: the standard one.
    case use(DeviceKind, String?)
    case flip
    /// Put the call on hold.
    case hold
    /// Go on with a call on hold: with this contact, or the one that has been on hold for the shortest time.
    case resume(String?)
    /// Send tones of a telephone's keys.
    case tones(String)
    /// Try everything again that waits for a relay.
    case retry
    case hangUp

    /// All of them, for who mistypes.
    static let all = """
        share [test|file:PATH] [motion] [sound], unshare, camera on|off|default|NAME, microphone on|off|default|NAME, \
        speaker default|NAME, flip, hold, resume [NAME], tones DIGITS, retry, hangup
        """

    /// Reads a line; nil when it is none of ``all``.
    init?(line: String) {
        let words = line.split(separator: " ").map(String.init)
        switch words.first {
        case "share":
            guard let command = Self.share(words.dropFirst()) else { return nil }
            self = command
        case "unshare" where words.count == 1: self = .unshare
        case "hangup" where words.count == 1: self = .hangUp
        case "flip" where words.count == 1: self = .flip
        case "hold" where words.count == 1: self = .hold
        case "resume": self = .resume(words.count == 1 ? nil : words.dropFirst().joined(separator: " "))
        case "tones" where words.count > 1: self = .tones(words.dropFirst().joined())
        case "retry" where words.count == 1: self = .retry
        case "camera", "microphone", "speaker":
            guard let kind = words.first.flatMap(DeviceKind.init), words.count > 1 else { return nil }
            self = Self.device(kind, words.dropFirst().joined(separator: " "))
        default: return nil
        }
    }

    private static func device(_ kind: DeviceKind, _ word: String) -> CallCommand {
        switch (kind, word) {
        case (.camera, "on"), (.camera, "off"): .camera(word == "on")
        case (.microphone, "on"), (.microphone, "off"): .microphone(word == "on")
        case (_, "default"): .use(kind, nil)
        default: .use(kind, word)
        }
    }

    private static func share(_ words: ArraySlice<String>) -> CallCommand? {
        SharedScreen(words).map { .share($0) }
    }

    /// Does it.
    /// - Parameter retry: Tries again what waits for a relay.
    /// - Throws: what is to be told of a command that could not be followed.
    func perform(on call: Call, retry: () async -> Void) async throws {
        switch self {
        case .share(let screen):
            await call.startScreen(screen.source, withSound: screen.withSound, content: screen.content)
        case .unshare: await call.stopScreen()
        case .camera(let isOn): await call.setCameraEnabled(isOn)
        case .microphone(let isOn): await call.setMicrophoneEnabled(isOn)
        case .use(let kind, let name): await call.select(name.map { MediaDevice(id: $0, name: $0) }, as: kind)
        case .flip: await call.flipCamera()
        // What can't be done now changes nothing that is told.
        case .hold: try? await call.hold()
        case .resume: try? await call.resume()
        case .tones(let keys): try await call.send(tones: keys)
        case .retry: await retry()
        case .hangUp: await call.hangUp()
        }
    }
}

/// Whether a call is commanded from the standard input.
struct CommandOptions: ParsableArguments {
    @Flag(
        name: .customLong("commands"),
        help: ArgumentHelp("Read commands for the call from the standard input: \(CallCommand.all)."))
    var isOn = false
}

/// The lines of the standard input, for one listener after the other. What comes while nobody listens is lost.
enum StandardInput {
    private static let listener = Lock<AsyncStream<String>.Continuation?>(nil)
    // On a thread of its own: nobody knows when the next line comes.
    private static let reader: Void = Thread.detachNewThread {
        while let line = readLine() { listener.withLock { $0 }?.yield(line) }
    }

    /// The lines from now on.
    static func lines() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        listener.withLock { $0 = continuation }
        _ = reader
        return stream
    }
}
