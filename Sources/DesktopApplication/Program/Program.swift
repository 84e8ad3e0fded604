import BaseKit
import GLibKit
import Glibc
import Logging
import Parley
import Portal
import TerminalText
import Wording

/// What `main` does.
@MainActor package enum Program {
    /// Runs the program with the person's account to its end; gives the exit status. Synchronous, because the GLib loop is the
    /// main actor's home.
    package static func run(_ words: [String]) -> Int32 {
        run(words) { options in
            let (configuration, welcomes) = (AccountConfiguration(options), !options.beginsUnasked)
            guard options.profile == nil else {
                return Profiles(
                    AccountProvider(configuration, passphraseFile: options.passphraseFile, welcomes: welcomes))
            }
            return Profiles(
                AccountProfiles(configuration, passphraseFile: options.passphraseFile, welcomes: welcomes))
        } isAlone: {
            // Two profiles are two people: they must not become one instance.
            $0.profile != nil
        }
    }

    /// Runs the windows with calls from elsewhere; one that is alone is an instance of its own, and has no name on the bus.
    package static func run(
        _ words: [String], isAlone: Bool, calls: @escaping @MainActor () -> any CallProvider
    ) -> Int32 {
        run(words) { _ in
            Profiles(calls())
        } isAlone: { _ in
            isAlone
        }
    }

    private static func run(
        _ words: [String], calls: @escaping @MainActor (Options) -> Profiles, isAlone: (Options) -> Bool
    ) -> Int32 {
        WorkerThreads.takeTasks()
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
        let isAlone = isAlone(options)
        let status = untilDone { await live(options, calls, isAlone: isAlone) }
        Settings.flush()
        return status
    }

    private static func live(
        _ options: Options, _ calls: @MainActor (Options) -> Profiles, isAlone: Bool
    ) async -> Int32 {
        let presence: Presence?
        let settings = ProgramSettings()
        let showsWindow = !options.isService && !options.isInBackground
        // Beside one another: the way to the bus, the program's resources, and the display on this thread, where it has to be opened.
        let resources = Task.detached {
            Result { () throws(GLibError) in try Resources.register(base64: embeddedResources) }
        }
        let bus = isAlone ? nil : Task.detached { try await Bus.session() }
        let token = Presence.token
        if showsWindow, hasDisplay { _ = Interface.openDisplay() }
        let place: Presence.Outcome
        if let bus {
            place = await Presence.claim(options, settings, on: bus, token: token)
        } else {
            place = .absent
        }
        switch place {
        case .taken(let taken): presence = taken
        case .absent: presence = nil
        case .handedOver(let status): return status
        }
        guard !showsWindow || Interface.openDisplay() else {
            guard options.links.isEmpty else {
                complain(tr("There is no display to ask in. Use “parley-cli connect” to open a link."))
                return 1
            }
            print(tr("There is no display, so Parley makes its test call without a window."))
            return await HeadlessTestCall.run()
        }
        if case .failure(let error) = await resources.value {
            complain(tr("Parley's own resources can't be read: %s", error))
            return 1
        }
        let application = Application(calls(options), settings: settings, presence: presence)
        if let links = await application.run(showsWindow: showsWindow, opening: options.links) { startAgain(links) }
        return 0
    }

    /// Whether this process was told where the screen is; else that is looked for over the bus.
    private static var hasDisplay: Bool { getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil }

    /// Becomes a program that was just started, with its window: whoever wanted it while it ended was told that it would come.
    private static func startAgain(_ links: [String]) {
        Settings.flush()
        let words: [UnsafeMutablePointer<CChar>?] =
            (["parley"] + links.filter(Options.isLink)).map { strdup($0) } + [nil]
        execv("/proc/self/exe", words)
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

    /// Says something where whoever typed the command sees it.
    static func complain(_ text: String) {
        let line = Array((TerminalText.lines(text) + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
