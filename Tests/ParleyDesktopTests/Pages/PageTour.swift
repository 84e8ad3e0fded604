import Foundation
import TestSupport
import XCTest

/// A walk through the pages of the program's windows, with pretended contacts and calls, that takes a picture of each in one look.
struct PageTour {
    /// How the windows look on the walk.
    enum Look: String, CaseIterable {
        case light, dark, contrast, narrow, german

        var environment: [String: String] {
            switch self {
            case .light, .narrow, .german: [:]
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

    /// Prepares the walk; what it makes in `folder` is the caller's to remove.
    init(_ look: Look, in folder: URL, complain: @escaping (String) -> Void) throws {
        self.look = look
        self.complain = complain
        let built = try RunningProgram.fakeCalls()
        guard look == .german else {
            (program, environment, catalogue) = (built, look.environment, nil)
            return
        }
        let (copy, language) = try Catalogue.install(built.path, in: folder.path, speaking: "de")
        (program, environment, catalogue) = (URL(filePath: copy), language, try PortableCatalogue("de"))
    }

    /// Goes through all pages.
    func walk() throws {
        try contactsAndCalls()
        try addingAContact()
        try people()
        try preferences()
        try calls()
        try help()
        try firstStart()
    }

    private func contactsAndCalls() throws {
        let parley = try start()
        try parley.see(say("Contacts"))
        try take("contacts", of: parley)
        try parley.turn(to: say("Calls"))
        try parley.see(say("Today"))
        try take("calls", of: parley)
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
    }

    private func calls() throws {
        let parley = try start()
        try parley.press(say("Video call with %s", "Test call"))
        try parley.see(say("Your own picture"))
        try take("call", of: parley)
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
        try parley.press(say("Continue"))
        try parley.see(say("By my relay"))
        try take("welcome-reach", of: parley)
        parley.kill()

        let locked = try start(["--keyring-locked"], [])
        try locked.see(say("Parley is locked"))
        try take("locked", of: locked)
        locked.kill()
    }

    // MARK: The program

    private func start(_ words: [String] = ["--calls-wait"], _ more: [String] = ["--log", "12"]) throws
        -> RunningProgram
    {
        try RunningProgram(["--pause", "100"] + words + more, environment: environment, program: program)
    }

    /// Takes the picture, and looks whether a screen reader can name the buttons.
    private func take(_ page: String, of parley: RunningProgram) throws {
        if look == .narrow { try parley.setWidth(Self.narrow) }
        // GTK's window of keys has two columns, whatever we say.
        if look == .narrow, page != "shortcuts", let width = try parley.leastWidth, width > Self.narrow {
            complain("\(page) in \(look.rawValue): needs \(width) pixels")
        }
        try parley.screenshotOfWindow("\(look.rawValue)-\(page)")
        // GTK's window of keys and libadwaita's about the program have such buttons of their own.
        let nameless = ["shortcuts", "about"].contains(page) ? [] : parley.namelessButtons
        if !nameless.isEmpty { complain("\(page) in \(look.rawValue): buttons without names: \(nameless)") }
        let complaints = parley.output.split(separator: "\n").filter {
            ($0.contains("-CRITICAL **") || $0.contains("Gtk-WARNING")) && !$0.contains("Trying to measure GtkLabel")
        }
        if !complaints.isEmpty { complain("\(page) in \(look.rawValue): \(complaints)") }
    }

    private func say(_ sentence: String, _ insertions: String...) -> String {
        catalogue?.say(sentence, insertions) ?? PortableCatalogue.filled(sentence, insertions)
    }

    /// A text of a menu without the mark of its key.
    private func plain(_ text: String) -> String { text.replacing("_", with: "") }
}
