import BaseKit
import Foundation
import MediaRules
import TerminalText

/// One end that is a page of ours in a Chromium with a fresh profile, headless or in a window.
///
/// It is spoken to by the browser's own debugging protocol over pipes: no port is open.
final class ChromiumEndpoint: CallEndpoint {
    let news = EventQueue()
    private let program: PipedProgram
    private let wire = Lock(Wire())

    private struct Wire: Sendable {
        var number = 0
        var session: String?
    }

    /// The browser, if it is installed.
    static var program: String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":").map { "\($0)/chromium" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Starts it, in a window where it has a screen; without pictures its page sends its sound alone. Throws
    /// ``BenchError/browserMissing``.
    init(
        film: String, sound: String, hasPictures: Bool, room: SoundRoom, screen: PictureScreen? = nil, folder: String,
        in side: [String] = []
    ) throws {
        guard let chromium = Self.program else { throw BenchError.browserMissing }
        let page = folder + "/call.html"
        try Data(PackageResources.call_html).write(to: URL(filePath: page))
        let environment = room.environment(home: folder)
        let received = Shared<(@Sendable (Data?) -> Void)?>(nil)
        program = try PipedProgram(
            // Its pipes are the descriptors 3 and 4.
            side + ["sh", "-c", #"exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#, "sh", chromium]
                + Self.arguments(film: film, sound: sound, profile: folder)
                + (screen == nil ? ["--headless"] : ["--window-position=0,0"])
                + ["file://\(page)\(hasPictures ? "" : "#voice")"],
            environment: screen?.environment(adding: environment) ?? environment, separator: 0
        ) { record in received.value?(record) }
        received.value = { [weak self] record in self?.receive(record) }
        send("Target.setDiscoverTargets", ["discover": true], session: nil)
    }

    var process: Int32 { program.process }

    func tell(_ order: CallOrder) {
        guard let text = try? JSONText.line(order) else { return }
        // Nothing is told before the page has said that it is ready.
        guard let session = wire.withLock({ $0.session }) else { return }
        send("Runtime.evaluate", ["expression": "call.take(\(text))"], session: session)
    }

    func stop() { program.stop() }

    private static func arguments(film: String, sound: String, profile: String) -> [String] {
        var arguments = [
            "--remote-debugging-pipe", "--user-data-dir=\(profile)/profile", "--no-first-run",
            "--no-default-browser-check", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
            "--disable-sync", "--disable-component-update", "--disable-breakpad", "--disable-extensions",
            "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
            "--autoplay-policy=no-user-gesture-required", "--allow-loopback-in-peer-connection",
            "--disable-features=WebRtcHideLocalIpsWithMdns,Translate,MediaRouter", "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream", "--use-file-for-fake-video-capture=\(film)",
            "--use-file-for-fake-audio-capture=\(sound)", "--window-size=1280,800",
        ]
        // Chromium's sandbox refuses to work for root, as programs in containers are.
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        return arguments
    }

    // MARK: The debugging protocol

    private func send(_ method: String, _ parameters: [String: Any], session: String?) {
        let number = wire.withLock { wire in
            wire.number += 1
            return wire.number
        }
        var message: [String: Any] = ["id": number, "method": method, "params": parameters]
        if let session { message["sessionId"] = session }
        guard let text = try? JSONSerialization.data(withJSONObject: message) else { return }
        program.write(text + Data([0]))
    }

    private func receive(_ record: Data?) {
        guard let record else { return news.add(.failed("a Chromium has ended")) }
        guard let message = try? JSONSerialization.jsonObject(with: record) as? [String: Any] else { return }
        let parameters = message["params"] as? [String: Any]
        switch message["method"] as? String {
        case "Target.targetCreated":
            guard let target = parameters?["targetInfo"] as? [String: Any], target["type"] as? String == "page",
                let id = target["targetId"] as? String
            else { return }
            send("Target.attachToTarget", ["targetId": id, "flatten": true], session: nil)
        case "Target.attachedToTarget":
            guard let session = parameters?["sessionId"] as? String else { return }
            send("Runtime.enable", [:], session: session)
            send("Runtime.addBinding", ["name": "tellBench"], session: session)
            wire.withLock { $0.session = session }
        case "Runtime.bindingCalled":
            guard let text = parameters?["payload"] as? String else { return }
            do {
                news.add(try JSONDecoder().decode(CallEvent.self, from: Data(text.utf8)))
            } catch { news.add(.failed("the page says what is not understood: \(error)")) }
        case "Runtime.exceptionThrown":
            let details = parameters?["exceptionDetails"] as? [String: Any]
            let exception = details?["exception"] as? [String: Any]
            news.add(.failed("the page: \(exception?["description"] ?? details?["text"] ?? "an error")"))
        default: break
        }
    }
}
