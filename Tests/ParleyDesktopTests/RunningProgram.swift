import BaseKit
import CAtspi
import Foundation
import Synchronization
import TestSupport
import Testing

/// The real program, or its windows with pretended calls, started as a process of its own and used through its buttons.
final class RunningProgram {
    private let process = Process()
    private let log: ProgramLog
    /// Those that run, by their process id.
    private static let running = Mutex<Set<Int32>>([])

    /// Starts the program with these words and an empty home; `program` is another file than that which is built. A new profile of the
    /// program's own is made at once, unless it is to welcome the person.
    init(
        _ words: [String], environment: [String: String] = [:], program: URL? = nil, welcomes: Bool = false
    ) throws {
        let file = try program ?? Self.program()
        log = try ProgramLog("\(file.lastPathComponent) \(words.joined(separator: " "))")
        try TestEnd.ofThisTest().examine(log)
        process.executableURL = file
        process.arguments = words + (program == nil && !welcomes ? ["--no-welcome"] : [])
        var variables = ProcessInfo.processInfo.environment
        for name in ["DATA", "CONFIG", "CACHE", "STATE"] {
            variables["XDG_\(name)_HOME"] = log.folder.path + "/" + name
        }
        variables["LANGUAGE"] = "C"
        variables["GTK_A11Y"] = nil  // `Screen` sets it for this process
        variables.merge(environment) { $1 }
        process.environment = variables
        let output = try log.handle()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        _ = Self.running.withLock { $0.insert(process.processIdentifier) }
    }

    /// Ends all of them, from any thread: for a test that takes too long.
    static func killAll() {
        running.withLock { for processID in $0 { Glibc.kill(processID, SIGKILL) } }
    }

    deinit { kill() }

    /// What it has printed so far.
    var output: String { log.text }

    /// What assistive tools find in it.
    var accessible: AccessibleProgram { AccessibleProgram(processIdentifier: process.processIdentifier) }

    /// Its windows on the X server.
    var windows: ServerWindows { ServerWindows(processIdentifier: process.processIdentifier) }

    /// Its process.
    var processIdentifier: Int32 { process.processIdentifier }

    /// Waits for its end; gives its exit status. What does not end by itself within a minute is ended, as a failure.
    func exitStatus(sourceLocation: SourceLocation = #_sourceLocation) -> Int32 {
        let limit = Instant.now + .seconds(60)
        while process.isRunning, Instant.now < limit { usleep(20_000) }
        if process.isRunning {
            Issue.record("the program does not end", sourceLocation: sourceLocation)
            kill()
            process.waitUntilExit()
        }
        forget()
        return process.terminationStatus
    }

    /// Whether it still runs.
    var isRunning: Bool { process.isRunning }

    /// Ends it for sure. Not by SIGTERM, which a child may have inherited as blocked.
    func kill() {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
        forget()
    }

    /// Sends it a signal.
    func signal(_ number: Int32) { if process.isRunning { Glibc.kill(process.processIdentifier, number) } }

    private func forget() { _ = Self.running.withLock { $0.remove(process.processIdentifier) } }

    /// Presses the button of this name, or else one whose name contains it.
    func press(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let button = try poll("the button “\(name)”", sourceLocation: sourceLocation) {
            var similar: Accessible?
            let same = accessible.first { widget in
                let words = widget.name
                guard words.contains(name), widget.role.contains("button"), widget.isReady else { return false }
                similar = similar ?? widget
                // A message dialog's buttons say their names twice.
                return words == name || words == "\(name) \(name)"
            }
            return same ?? similar
        }
        #expect(button.press() == true, "\(name) can't be pressed", sourceLocation: sourceLocation)
    }

    /// Presses the button of this name that stays pressed.
    func pressToggle(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let button = try find("the toggle “\(name)”", sourceLocation: sourceLocation) {
            ["toggle button", "push button", "button"].contains($0.role) && $0.name == name && $0.isReady
        }
        #expect(button.press(), "\(name) can't be pressed", sourceLocation: sourceLocation)
    }

    /// Turns the switch whose name contains this.
    func turnSwitch(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        // GTK calls it a check box up to 4.8, and says its name twice where its row has the same.
        let found = try find("the switch “\(name)”", sourceLocation: sourceLocation) {
            ["check box", "switch", "toggle button"].contains($0.role) && $0.name.contains(name) && $0.isReady
        }
        try press(found, name, sourceLocation: sourceLocation)
    }

    /// Presses a switch, and waits until it has turned: a key that comes before would go to what is closed by it. One that is refused turns
    /// back, and need not be seen turned.
    private func press(_ toggle: Accessible, _ name: String, sourceLocation: SourceLocation) throws {
        let wasOn = toggle.isChecked
        #expect(toggle.press(), "\(name) can't be turned", sourceLocation: sourceLocation)
        let limit = Instant.now + .seconds(5)
        while toggle.now.isChecked == wasOn, toggle.now.isReady, Instant.now < limit { usleep(50_000) }
    }

    /// Turns to a page of the preferences, or of the main window.
    func turn(to page: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let tab = try find("the tab “\(page)”", sourceLocation: sourceLocation) {
            $0.role == "page tab" && $0.name == page && $0.isReady
        }
        #expect(tab.press(), "can't turn to \(page)", sourceLocation: sourceLocation)
    }

    /// Opens the menu whose button has this name and chooses from it.
    func choose(_ item: String, from menu: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try open(menu, sourceLocation: sourceLocation)
        try chooseItem(item, sourceLocation: sourceLocation)
    }

    /// Opens the menu whose button has this name.
    func open(_ menu: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        // A menu button is two widgets of one name; the outer one would start the first action of the window.
        let button = try poll("the menu “\(menu)”", sourceLocation: sourceLocation) {
            let buttons = accessible.widgets.filter { $0.name == menu && $0.role.contains("button") }
            return buttons.count == 2 && buttons[1].isReady ? buttons[1] : nil
        }
        #expect(button.press(), "\(menu) can't be opened", sourceLocation: sourceLocation)
    }

    /// Chooses from the menu that is open.
    func chooseItem(_ item: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let chosen = try find("“\(item)” in the menu", sourceLocation: sourceLocation) {
            $0.role.contains("menu item") && $0.name.contains(item) && $0.isSensitive
        }
        #expect(chosen.press(), "\(item) can't be chosen", sourceLocation: sourceLocation)
    }

    /// Waits until something on the screen has a name that contains this; gives the whole name.
    @discardableResult
    func see(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        try find("“\(text)”", sourceLocation: sourceLocation) { $0.name.contains(text) }.name
    }

    /// Waits until something of this kind, as assistive tools know it, has a name that contains this.
    func see(_ text: String, as role: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try find("the \(role) “\(text)”", sourceLocation: sourceLocation) { $0.role == role && $0.name.contains(text) }
    }

    /// Waits for a text of digits and spaces only; gives it.
    func seeDigits(atLeast count: Int = 20, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        try find("digits", sourceLocation: sourceLocation) {
            $0.name.count >= count && $0.name.allSatisfy { $0.isNumber || $0.isWhitespace }
        }.name
    }

    /// Waits until nothing on the screen has a name that contains this.
    func seeNoMore(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try poll("“\(text)” to go", sourceLocation: sourceLocation) { self.shows(text) ? nil : true }
    }

    /// Whether something on the screen has a name that contains this.
    func shows(_ text: String) -> Bool { accessible.first { $0.name.contains(text) } != nil }

    /// How many things on the screen have a name that contains this.
    func count(of text: String) -> Int { accessible.widgets.count { $0.name.contains(text) } }

    /// Whether there is a button of that name that can be pressed now.
    func canPress(_ name: String) -> Bool {
        accessible.first { $0.name.contains(name) && $0.role.contains("button") && $0.isSensitive } != nil
    }

    /// Types into the field of this name, or else into one whose name contains it.
    func type(_ text: String, into name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try poll("the field “\(name)”", sourceLocation: sourceLocation) {
            self.field(name)?.type(text) == true ? true : nil
        }
    }

    private func field(_ name: String) -> Accessible? {
        var similar: Accessible?
        let same = accessible.first { widget in
            let words = widget.name
            guard words.contains(name), ["text", "entry", "password text"].contains(widget.role) else { return false }
            similar = similar ?? widget
            return words == name
        }
        return same ?? similar
    }

    /// Waits until the field whose name contains this has this text.
    func see(_ text: String, in name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try poll("“\(text)” in the field “\(name)”", sourceLocation: sourceLocation) {
            self.content(of: name).contains(text) ? true : nil
        }
    }

    /// Waits until the button of this name can be pressed.
    func seeUsable(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try poll("“\(name)” to be of use", sourceLocation: sourceLocation) { self.canPress(name) ? true : nil }
    }

    /// Waits until the switch of this name stands like this.
    func seeSwitch(_ name: String, isOn: Bool, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try find("the switch “\(name)” \(isOn ? "on" : "off")", sourceLocation: sourceLocation) {
            Self.isSwitch($0, name) && $0.isChecked == isOn
        }
    }

    /// Whether the switch of this name is shown and can be turned.
    func canFlip(_ name: String) -> Bool {
        accessible.first { Self.isSwitch($0, name) && $0.isReady && $0.isSensitive } != nil
    }

    /// Turns the switch of this name on or off.
    func flip(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let toggle = try find("the switch “\(name)”", sourceLocation: sourceLocation) {
            Self.isSwitch($0, name) && $0.isReady
        }
        try press(toggle, name, sourceLocation: sourceLocation)
    }

    // GTK 4.8 says names of switches twice.
    private static func isSwitch(_ widget: Accessible, _ name: String) -> Bool {
        ["check box", "switch", "toggle button"].contains(widget.role)
            && [name, "\(name) \(name)"].contains(widget.name)
    }

    /// Clicks with the pointer on the field or button whose name contains this, in a window of the X server.
    func click(
        _ name: String, in window: String, button: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let place = try poll("“\(name)” to click on", sourceLocation: sourceLocation) {
            if let field = self.field(name), field.isReady { return field.middle }
            return accessible.first { $0.name.contains(name) && $0.isSensitive && $0.role.contains("button") }?.middle
        }
        try Keyboard.click(x: place.x, y: place.y, in: window, button: button)
    }

    /// The text in the fields whose names contain this.
    func content(of name: String) -> [String] {
        accessible.widgets.filter { ["text", "entry", "password text"].contains($0.role) && $0.name.contains(name) }
            .map(\.content)
    }

    /// Every name on the screen, for failures.
    var names: [String] { accessible.widgets.map { "\($0.role) “\($0.name)”" } }

    /// Takes a picture of the screen into the folder that `PARLEY_SCREENSHOTS` names, if it does.
    func screenshot(_ name: String) { ScreenCamera.take(name, of: "root") }

    @discardableResult
    private func find(
        _ what: String, sourceLocation: SourceLocation, _ matches: (Accessible) -> Bool
    ) throws -> Accessible {
        try poll(what, sourceLocation: sourceLocation) { accessible.first(where: matches) }
    }

    /// Asks again until there is an answer; a limit far above what it takes turns a hang into a failure, which ends the test.
    @discardableResult
    private func poll<Answer>(_ what: String, sourceLocation: SourceLocation, _ ask: () -> Answer?) throws -> Answer {
        let limit = Instant.now + .seconds(60)
        while Instant.now < limit {
            let asked = Instant.now
            if let answer = ask() { return answer }
            guard process.isRunning else { break }
            rest(after: asked)
        }
        let problem =
            process.isRunning
            ? "waited in vain for \(what); on the screen:\n" + names.joined(separator: "\n")
            : "the program ended while waiting for \(what):\n\(output.suffix(3000))"
        screenshot("failure-line-\(sourceLocation.line)")
        Issue.record("\(problem)", sourceLocation: sourceLocation)
        throw NotSeen(what: what)
    }

    /// Something that should have been on the screen and was not.
    struct NotSeen: Error {
        let what: String
    }

    /// A new folder of its own.
    static func emptyFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "parley-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// The built program beside the test bundle.
    static func program() throws -> URL { try built(["parley", "ParleyDesktop"]) }

    /// The program with pretended calls.
    static func fakeCalls() throws -> URL { try built(["FakeCalls"]) }

    private static func built(_ names: [String]) throws -> URL {
        let folders =
            Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
            + [URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
        for folder in folders {
            for name in names {
                let file = folder.appending(path: name)
                if FileManager.default.isExecutableFile(atPath: file.path) { return file }
            }
        }
        throw Missing(description: "\(names[0]) is not built; build the whole package first.")
    }
}
