import BaseKit
import Foundation
import Testing

/// A browser that can be a peer.
enum BrowserKind: String, Sendable {
    case chromium = "chromium"
    case firefox = "firefox-esr"

    /// The program, if it is installed.
    var program: String? { Self.find(rawValue) }

    /// Why the browser can't be a peer here; nil when it can.
    var obstacle: String? {
        if program == nil { return "\(rawValue) is not installed (package \(rawValue))." }
        if self == .firefox, Self.find("pulseaudio") == nil { return "Firefox needs sound (package pulseaudio)." }
        return nil
    }

    private static func find(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Shell commands that run before the browser.
    fileprivate var preparation: String {
        switch self {
        case .chromium: ""
        // Without a sound system Firefox's AudioContext stands still: it gets one of its own that plays nowhere.
        case .firefox:
            """
            pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no --disable-shm=yes \
                -L module-null-sink -L "module-native-protocol-unix auth-anonymous=1 socket=$HOME/sound" \
                >/dev/null 2>&1 </dev/null &
            until [ -S "$HOME/sound" ]; do sleep 0.1; done

            """
        }
    }

    /// Arguments for a browser without windows that keeps everything in `profile`, shows real addresses in its candidates,
    /// uses loopback too and plays without being asked.
    fileprivate func arguments(profile: String) -> [String] {
        switch self {
        case .chromium:
            var arguments = [
                "--headless", "--user-data-dir=\(profile)", "--no-first-run", "--no-default-browser-check",
                "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-sync",
                "--disable-component-update", "--disable-breakpad", "--disable-extensions",
                "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
                "--autoplay-policy=no-user-gesture-required", "--allow-loopback-in-peer-connection",
                "--disable-features=WebRtcHideLocalIpsWithMdns,Translate,MediaRouter",
            ]
            // Chromium's sandbox refuses to work for root, as tests in containers are.
            if geteuid() == 0 { arguments.append("--no-sandbox") }
            return arguments
        case .firefox: return ["--headless", "--no-remote", "--profile", profile]
        }
    }

    /// Settings in a file of the profile.
    fileprivate var preferences: String? {
        guard self == .firefox else { return nil }
        return """
            user_pref("media.peerconnection.ice.obfuscate_host_addresses", false);
            user_pref("media.peerconnection.ice.loopback", true);
            user_pref("media.autoplay.default", 0);
            user_pref("media.autoplay.blocking_policy", 0);
            user_pref("media.gmp-manager.updateEnabled", false);
            user_pref("app.update.enabled", false);
            user_pref("app.normandy.enabled", false);
            user_pref("browser.shell.checkDefaultBrowser", false);
            user_pref("browser.aboutwelcome.enabled", false);
            user_pref("browser.safebrowsing.update.enabled", false);
            user_pref("datareporting.policy.dataSubmissionEnabled", false);
            user_pref("toolkit.telemetry.enabled", false);
            user_pref("extensions.update.enabled", false);
            user_pref("network.captive-portal-service.enabled", false);
            user_pref("network.connectivity-service.enabled", false);
            user_pref("services.settings.server", "http://127.0.0.1:9/");
            user_pref("browser.sessionstore.resume_from_crash", false);

            """
    }
}

/// A running browser with the peer's page open. Every one has a fresh profile.
final class Browser: Sendable {
    /// The browser of the suite that runs.
    @TaskLocal static var current: Browser?

    let kind: BrowserKind
    private let server: BrowserServer
    private let profile: URL
    private let life: Pipe
    private let process: Process

    /// Starts a browser and waits until its page runs.
    static func start(_ kind: BrowserKind) async throws -> Browser {
        let browser = try Browser(kind)
        let end = Instant.now + .seconds(90)
        while !browser.server.isReady {
            guard browser.process.isRunning, Instant.now < end else {
                await browser.stop()
                throw BrowserFailure(description: "\(kind.rawValue) did not open its page")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        return browser
    }

    private init(_ kind: BrowserKind) throws {
        guard let program = kind.program else { throw BrowserFailure(description: "\(kind.rawValue) is not installed") }
        self.kind = kind
        server = try BrowserServer()
        profile = FileManager.default.temporaryDirectory.appending(path: "parley-\(kind.rawValue)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: profile, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try kind.preferences?.write(to: profile.appending(path: "user.js"), atomically: true, encoding: .utf8)
        life = Pipe()
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/setsid")
        // The browser lives as long as the pipe is open: also when the tests are killed, nothing stays behind. A session of
        // its own makes all its processes one group.
        let guardian =
            kind.preparation + """
                "$@" >/dev/null 2>&1 </dev/null &
                cat >/dev/null
                kill -s KILL 0
                """
        var environment = ProcessInfo.processInfo.environment
        environment["HOME"] = profile.path
        environment["XDG_RUNTIME_DIR"] = profile.path
        environment["PULSE_SERVER"] = "unix:\(profile.path)/sound"
        process.environment = environment
        process.arguments =
            ["-w", "sh", "-c", guardian, "sh", program] + kind.arguments(profile: profile.path)
            + ["http://127.0.0.1:\(server.port)/"]
        process.standardInput = life
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Stops the browser and removes its profile.
    func stop() async {
        server.close()
        try? life.fileHandleForWriting.close()
        while process.isRunning { try? await Task.sleep(for: .milliseconds(50)) }
        try? FileManager.default.removeItem(at: profile)
    }

    private struct Result<Value: Decodable>: Decodable {
        var result: Value
    }

    /// Has the page carry out a command.
    func ask<Value: Decodable>(_ name: String, _ argument: some Encodable, as type: Value.Type = Value.self)
        async throws
        -> Value
    {
        let reply = try await server.command(name, try JSONEncoder().encode(argument))
        return try JSONDecoder().decode(Result<Value>.self, from: reply).result
    }

    /// Has the page carry out a command without a result.
    func tell(_ name: String, _ argument: some Encodable = [String: String]()) async throws {
        _ = try await ask(name, argument, as: [String: String].self)
    }
}

/// Gives the tests of a suite one browser, started before the first and stopped after the last.
struct BrowserTrait: SuiteTrait, TestScoping {
    let kind: BrowserKind

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let browser = try await Browser.start(kind)
        do {
            try await Browser.$current.withValue(browser, operation: function)
        } catch {
            await browser.stop()
            throw error
        }
        await browser.stop()
    }
}

extension Trait where Self == BrowserTrait {
    /// One browser for all tests of the suite.
    static func browser(_ kind: BrowserKind) -> Self { BrowserTrait(kind: kind) }
}
