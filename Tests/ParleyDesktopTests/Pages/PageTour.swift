import Foundation
import TestSupport
import Testing

/// A walk through the pages of the program's windows, with pretended contacts and calls, that takes a picture of each in one look.
struct PageTour {
    /// How the windows look on the walk.
    enum Look: String, CaseIterable {
        case light, dark, contrast, narrow, german
        /// Text of twice the size.
        case large
        /// Windows of 3840 by 2160 pixels, on a screen that is as large.
        case wide
        /// In a language that is written from right to left, which leaves our own sentences as they are.
        case mirrored

        var environment: [String: String] {
            switch self {
            case .light, .narrow, .german, .large, .wide, .mirrored: [:]
            case .dark: ["ADW_DEBUG_COLOR_SCHEME": "prefer-dark"]
            case .contrast: ["ADW_DEBUG_HIGH_CONTRAST": "1"]
            }
        }
    }

    private let look: Look
    private let program: URL
    private let environment: [String: String]
    private let catalogue: PortableCatalogue?
    /// Is told what is wrong with a page.
    private let complain: (String) -> Void
    /// A window of 360 pixels, and the frame that GTK draws where there is no compositor.
    private static let narrow = 370
    /// A window of 720 by 640 pixels, and the same frame.
    private static let roomForLargeText = (width: 730, height: 650)

    /// Prepares the walk; what it makes in `folder` is the caller's to remove.
    init(_ look: Look, in folder: URL, complain: @escaping (String) -> Void) throws {
        self.look = look
        self.complain = complain
        let built = try RunningProgram.fakeCalls()
        switch look {
        case .light, .dark, .contrast, .narrow, .wide:
            (program, environment, catalogue) = (built, look.environment, nil)
        case .german:
            let (copy, language) = try Catalogue.install(built.path, in: folder.path, speaking: "de")
            (program, environment, catalogue) = (URL(filePath: copy), language, try PortableCatalogue("de"))
        case .mirrored:
            let (copy, language) = try Catalogue([:]).install(with: built.path, in: folder.path, as: "ar")
            (program, environment, catalogue) = (URL(filePath: copy), language, nil)
        case .large:
            // What the X server says of its screen, for this program alone; 96 is the usual.
            let file = folder.appending(path: "resources")
            try Data("Xft.dpi: 192\n".utf8).write(to: file)
            (program, environment, catalogue) = (built, ["XENVIRONMENT": file.path], nil)
        }
    }

    /// Goes through all pages.
    func walk() throws {
        try contactsAndCalls()
        try addingAContact()
        try people()
        try preferences()
        try calls()
        try groups()
        try help()
        try firstStart()
    }

    private func contactsAndCalls() throws {
        let parley = try start()
        try parley.see(say("Contacts"))
        try take("contacts", of: parley)
        try mirrors("Add a contact", of: parley)
        try parley.turn(to: say("Calls"))
        try parley.see(say("Today"))
        try take("calls", of: parley)
        // The menu's name goes on with the call.
        try parley.choose(plain(say("_Details")), from: try parley.see(say("Menu for %s", "Dora Declines")))
        try parley.see(say("Details of the call"))
        try take("call-details", of: parley)
        parley.kill()
    }

    private func addingAContact() throws {
        let parley = try start()
        try parley.press(say("Add a contact"))
        try parley.see(say("Create link"))
        try take("add-contact", of: parley)
        try parley.press(say("Create link"))
        try parley.see(say("Waiting for the other person to open it. You can close this window."))
        try take("invitation", of: parley)
        parley.kill()

        // What the camera sees becomes a question after eleven seconds.
        let scanning = try start(["--calls-wait", "--pause", "800"])
        try scanning.press(say("Add a contact"))
        try scanning.press(say("Scan a QR Code…"))
        try scanning.see(say("What the camera sees"))
        try take("scan", of: scanning)
        try scanning.see(say("Connect with who made this link?"))
        try take("open-link", of: scanning)
        scanning.kill()

        let other = try start()
        try other.press(say("Add a contact"))
        try other.press(say("Nearby…"))
        try other.press(say("Connect with %s", "Nora Nearby"))
        try other.see(say("Compare with %s", "Nora Nearby"))
        try take("nearby", of: other)
        other.kill()
    }

    private func people() throws {
        for (page, item, seen, name) in [
            ("contact-page", "_Details", "Notes", "Cem Calls-Back"), ("messages", "_Messages", "Today", "Sven Shares"),
            ("security-code", "_Compare security code…", "Security code", "Cem Calls-Back"),
        ] {
            let parley = try start()
            try parley.choose(plain(say(item)), from: say("Menu for %s", name))
            try parley.see(plain(say(seen)))
            try take(page, of: parley)
            parley.kill()
        }
        let asked = try start()
        try asked.choose(plain(say("_Block…")), from: say("Menu for %s", "Cem Calls-Back"))
        try asked.see(say("Block %s?", "Cem Calls-Back"))
        try take("question", of: asked)
        asked.kill()
        for (page, item, seen) in [
            ("address", "Your _address", "Contact address"), ("own-profile", "Your p_rofile", "Choose Picture…"),
            ("shortcuts", "_Keyboard Shortcuts", "Mute or unmute the microphone"),
            ("about", "_About Parley", "The Parley contributors"),
        ] {
            let parley = try start()
            try parley.choose(plain(say(item)), from: say("Main menu"))
            try parley.see(say(seen))
            try take(page, of: parley)
            parley.kill()
        }
    }

    private func preferences() throws {
        let parley = try start()
        try parley.choose(plain(say("_Preferences")), from: say("Main menu"))
        try parley.see(say("Test the microphone"))
        try take("devices", of: parley)
        for (page, tab, seen) in [
            ("notifications", "Notifications", "Ring all the same"), ("log-kept", "Call log", "Keep them"),
            ("key", "Key", "Key of your profile"), ("network", "Network", "Servers for calls"),
        ] {
            try parley.turn(to: say(tab))
            try parley.see(say(seen))
            try take(page, of: parley)
        }
        try parley.press(say("How People Reach You…"))
        try parley.see(say("By my relay"))
        try take("reach", of: parley)
        parley.kill()

        let moving = try start()
        try moving.choose(plain(say("_Preferences")), from: say("Main menu"))
        try moving.turn(to: say("Key"))
        try moving.press(say("Move This Profile to Another Machine…"))
        try moving.see(say("Passphrase of the file"))
        try take("move-profile", of: moving)
        moving.kill()
    }

    private func calls() throws {
        let parley = try start()
        try parley.press(say("Video call with %s", "Test call"))
        try parley.see(say("Your own picture"))
        try take("call", of: parley)
        try mirrors("End the call", atEnd: true, of: parley)
        try mirrors("Your own picture", atEnd: true, of: parley)
        try parley.press(say("Share your screen"))
        try parley.press(say("Share with system sound"))
        try parley.see(say("You are sharing your screen and its sound"))
        try take("sharing", of: parley)
        try parley.press(say("Make the call small"))
        try parley.see(say("Make the call large"))
        try take("collapsed", of: parley)
        parley.kill()

        let called = try start([], [])
        try called.press(say("Call %s", "Cem Calls-Back"))
        try called.see(say("Incoming video call"))
        try called.seeUsable(say("Decline the call"))
        try take("incoming", of: called)
        try called.press(say("Decline the call"))
        try called.see(say("Back to the contacts"))
        try take("ended", of: called)
        called.kill()

        let busy = try start([], [])
        try busy.press(say("Video call with %s", "Paula Popular"))
        try busy.see(say("Hold and accept"))
        try busy.seeUsable(say("Hold and accept"))
        try take("second-call", of: busy)
        try busy.press(say("Hold and accept"))
        try busy.see(say("Go on with the call with %s", "Paula Popular"))
        try take("two-calls", of: busy)
        busy.kill()
    }

    /// As many as can be called together; the last one shares a screen.
    private static let seven = [
        "Cem Calls-Back", "Gus Gives-Up", "Hilde Holds", "Ines In-a-Call", "Paula Popular", "Sia Silent", "Sven Shares",
    ]

    private func groups() throws {
        let parley = try start([], ["--calls-wait"], ["FAKE_CALLS_GROUPS": "1"])
        try parley.pressToggle(say("Select contacts"))
        for name in ["Gus Gives-Up", "Sia Silent", "Mia Mutes"] { try parley.flip(say("Select %s", name)) }
        try parley.see(say("%s selected", "3"))
        try take("group-chosen", of: parley)
        try parley.press(say("Video call with them together"))
        try parley.see(say("Picture of %s", "Gus Gives-Up"))
        try parley.see(say("Picture of %s", "Sia Silent"))
        try parley.see(say("hand raised"))
        try take("group-call", of: parley)
        try parley.press(say("Show the participants"))
        try parley.see(say("Introduced"))
        try take("group-people", of: parley)
        try parley.open(say("Options for %s", "Sia Silent"))
        try parley.press(say("Pin %s", "Sia Silent"))
        try parley.press(say("Hide the participants"))
        try parley.see("Sia Silent, " + say("pinned"))
        try take("group-spotlight", of: parley)
        parley.kill()

        let full = try start([], ["--calls-wait"], ["FAKE_CALLS_GROUPS": "8"])
        try full.pressToggle(say("Select contacts"))
        for name in Self.seven { try full.flip(say("Select %s", name)) }
        try full.press(say("Video call with them together"))
        try full.see(say("%s’s screen", "Sven Shares"))
        for name in Self.seven.dropLast() { try full.see(say("Picture of %s", name)) }
        try take("group-screen", of: full)
        try full.press(say("Show everybody at the same size"))
        try full.seeNoMore(say("Show everybody at the same size"))
        try take("group-eight", of: full)
        full.kill()

        let called = try start([], ["--calls-wait"], ["FAKE_CALLS_GROUPS": "1"])
        try called.pressToggle(say("Select contacts"))
        try called.flip(say("Select %s", "Cem Calls-Back"))
        try called.press(say("Call them together"))
        try called.see("0:")
        try take("group-two", of: called)
        try called.press(say("Leave the call"))
        try called.press(say("Back to the contacts"))
        called.signal(SIGUSR1)
        try called.see(say("Incoming video call with %s", "Sven Shares"))
        try called.seeUsable(say("Decline the call"))
        try take("group-incoming", of: called)
        called.kill()
    }

    private func help() throws {
        let parley = try start()
        try parley.choose(plain(say("_Help")), from: say("Main menu"))
        try parley.see(look == .german ? "Der erste Start" : "First start")
        try take("help", of: parley)
        parley.kill()
    }

    private func firstStart() throws {
        let parley = try start(["--new"], [])
        try parley.see(say("How do you want to be seen?"))
        try take("welcome", of: parley)
        try parley.press(say("Skip"))
        try parley.see(say("How Parley works"))
        try take("welcome-how", of: parley)
        try parley.press(say("Continue"))
        try parley.see(say("Test the speaker"))
        try take("welcome-devices", of: parley)
        try parley.press(say("Skip"))
        try parley.see(say("By my relay"))
        try take("welcome-reach", of: parley)
        parley.kill()

        let bringing = try start(["--new"], [])
        try bringing.press(say("Bring a Profile from Another Machine…"))
        try bringing.see(say("Passphrase of the file"))
        try take("bring-profile", of: bringing)
        bringing.kill()

        let locked = try start(["--keyring-locked"], [])
        try locked.see(say("Parley is locked"))
        try take("locked", of: locked)
        locked.kill()
    }

    // MARK: The program

    private func start(
        _ words: [String] = ["--calls-wait"], _ more: [String] = ["--log", "12"], _ variables: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(
            ["--pause", "100"] + words + more, environment: environment.merging(variables) { $1 }, program: program)
    }

    /// Takes the picture, and looks whether a screen reader can name the buttons.
    private func take(_ page: String, of parley: RunningProgram) throws {
        try fit(page, of: parley)
        try parley.windows.screenshot("\(look.rawValue)-\(page)")
        // libadwaita's window about the program has such buttons of its own.
        let nameless = page == "about" ? [] : parley.accessible.namelessControls
        if !nameless.isEmpty { complain("\(page) in \(look.rawValue): buttons or fields without names: \(nameless)") }
        complainOfWindows(page, parley.accessible.windows)
        let warnings = GLibWarnings.among(parley.output)
        if !warnings.isEmpty { complain("\(page) in \(look.rawValue), or before: \(warnings)") }
    }

    /// Makes the windows as large as the look has them, and looks whether that is enough.
    private func fit(_ page: String, of parley: RunningProgram) throws {
        let room: (width: Int, height: Int?)
        switch look {
        case .light, .dark, .contrast, .german, .mirrored: return
        // A question is as high as its text is at its own width.
        case .narrow: room = (Self.narrow, page == "question" ? 240 : nil)
        case .large: room = Self.roomForLargeText
        case .wide: room = (3_840, 2_160)
        }
        try parley.windows.setSize(room.width, room.height)
        if let least = try parley.windows.leastSize, look == .large || !least.isFixed,
            least.width > room.width || least.height > room.height ?? .max
        {
            complain("\(page) in \(look.rawValue): needs \(least.width) by \(least.height) pixels")
        }
        let unreachable = look == .large ? parley.accessible.unreachableControls : []
        if !unreachable.isEmpty { complain("\(page) in \(look.rawValue): out of reach: \(unreachable)") }
    }

    /// Looks whether what begins a line, or ends one, is at that side of the window.
    private func mirrors(_ name: String, atEnd: Bool = false, of parley: RunningProgram) throws {
        guard look == .mirrored else { return }
        guard let place = parley.accessible.place(of: name) else { return complain("\(name) has no place") }
        if (place > 0.5) == atEnd { complain("\(name) is at \(place) of the window’s width") }
    }

    /// All but the program's window and a call's small one are dialogs. Each has a name, though a call may be announced by it just now.
    private func complainOfWindows(_ page: String, _ windows: [(role: String, name: String)]) {
        for window in windows where window.name.isEmpty || ["Gtk", "Adw"].contains(window.name.prefix(3)) {
            complain("\(page) in \(look.rawValue): the \(window.role) has no name")
        }
        let others = windows.filter { !["dialog", "alert"].contains($0.role) }
        if others.count > (page == "collapsed" ? 2 : 1) {
            complain("\(page) in \(look.rawValue): to assistive tools no dialog: \(others)")
        }
    }

    private func say(_ sentence: String, _ insertions: String...) -> String {
        catalogue?.say(sentence, insertions) ?? PortableCatalogue.filled(sentence, insertions)
    }

    /// A text of a menu without the mark of its key.
    private func plain(_ text: String) -> String { text.replacing("_", with: "") }
}
