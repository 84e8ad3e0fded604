import CGtk
import GLibKit
import Glibc
import Logging
import Parley
import TerminalText
import Wording

/// What `main` does.
@MainActor package enum Program {
    /// Runs the program with the person's account to its end; gives the exit status. Synchronous, because the GLib loop is the
    /// main actor's home.
    package static func run(_ words: [String]) -> Int32 {
        run(words) { options in
            // Two profiles are two people: they must not become one instance.
            Application(
                options, AccountProvider(AccountConfiguration(options), passphraseFile: options.passphraseFile),
                isAlone: options.profile != nil)
        }
    }

    /// Runs the windows with calls from elsewhere, as an instance of its own.
    package static func run(_ words: [String], calls: @MainActor () -> any CallProvider) -> Int32 {
        run(words) { Application($0, calls(), isAlone: true) }
    }

    private static func run(_ words: [String], _ make: @MainActor (Options) -> Application) -> Int32 {
        Translation.bind(domain: "parley", directory: Translation.installedDirectory)
        let options: Options
        do {
            options = try Options.parse(words)
        } catch {
            complain("\(error.description)\n\(Options.usage)")
            return 2
        }
        if options.showsHelp || options.showsVersion {
            print(options.showsHelp ? Options.usage : "parley \(ApplicationIdentity.version)")
            return 0
        }
        LoggingSystem.bootstrap { SafeLogHandler(label: $0, level: .info) }
        MainLoop.serveMainActor()
        guard gtk_init_check() != 0 else {
            print(tr("There is no display, so Parley makes its test call without a window."))
            return untilDone { await HeadlessTestCall.run() }
        }
        do {
            try Resources.register(base64: embeddedResources)
        } catch {
            complain(tr("Parley's own resources can't be read: %s", error))
            return 1
        }
        return make(options).run()
    }

    /// Runs the GLib loop until the work is done.
    private static func untilDone(_ work: @escaping @MainActor () async -> Int32) -> Int32 {
        let loop = MainLoop()
        var status: Int32 = 1
        Task { @MainActor in
            status = await work()
            loop.quit()
        }
        loop.run()
        return status
    }

    private static func complain(_ text: String) {
        let line = Array((TerminalText.lines(text) + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
