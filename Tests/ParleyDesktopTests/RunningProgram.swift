import CAtspi
import Foundation
import XCTest

/// The real program, started as a process of its own and used through its buttons.
final class RunningProgram {
    private let process = Process()
    private let log: URL
    private let folder: URL

    /// Starts the program with these words and an empty home.
    init(_ words: [String], environment: [String: String] = [:]) throws {
        folder = try Self.emptyFolder()
        log = folder.appending(path: "log")
        try Data().write(to: log)
        process.executableURL = try Self.program()
        process.arguments = words
        var variables = ProcessInfo.processInfo.environment
        for name in ["DATA", "CONFIG", "CACHE", "STATE"] { variables["XDG_\(name)_HOME"] = folder.path + "/" + name }
        variables["LANGUAGE"] = "C"
        variables["GTK_A11Y"] = nil  // `Screen` sets it for this process
        variables.merge(environment) { $1 }
        process.environment = variables
        let output = try FileHandle(forWritingTo: log)
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// What it has printed so far.
    var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Waits for its end; gives its exit status.
    func exitStatus() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Whether it still runs.
    var isRunning: Bool { process.isRunning }

    /// Ends it for sure. Not by SIGTERM, which a child may have inherited as blocked.
    func kill() {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    }

    /// Presses the button whose name contains this.
    func press(_ name: String, file: StaticString = #filePath, line: UInt = #line) throws {
        let button = try find("the button “\(name)”", file: file, line: line) {
            $0.role.contains("button") && $0.name.contains(name) && $0.isSensitive
        }
        XCTAssertEqual(button.press(), true, "\(name) can't be pressed", file: file, line: line)
    }

    /// Waits until something on the screen has a name that contains this; gives the whole name.
    @discardableResult
    func see(_ text: String, file: StaticString = #filePath, line: UInt = #line) throws -> String {
        try find("“\(text)”", file: file, line: line) { $0.name.contains(text) }.name
    }

    /// Waits until nothing on the screen has a name that contains this.
    func seeNoMore(_ text: String, file: StaticString = #filePath, line: UInt = #line) throws {
        try poll("“\(text)” to go", file: file, line: line) { self.shows(text) ? nil : true }
    }

    /// Whether something on the screen has a name that contains this.
    func shows(_ text: String) -> Bool { widgets.contains { $0.name.contains(text) } }

    /// Buttons that a screen reader can't name: GTK falls back to the name of a class.
    var namelessButtons: [String] {
        widgets.filter { $0.role.contains("button") && ($0.name.isEmpty || $0.name.hasPrefix("Gtk")) }.map(\.name)
    }

    /// Types into the field whose name contains this.
    func type(_ text: String, into name: String, file: StaticString = #filePath, line: UInt = #line) throws {
        try poll("the field “\(name)”", file: file, line: line) {
            self.widgets.first { ["text", "entry"].contains($0.role) && $0.type(text) }
        }
    }

    /// Asks for windows it had and has not any more, as an assistive tool does that has not heard of their end yet.
    func askForMissingWindows() {
        for application in applications { for index in 1...4 as ClosedRange<Int32> { application.askForChild(index) } }
    }

    /// Every name on the screen, for failures.
    var names: [String] { widgets.map { "\($0.role) “\($0.name)”" } }

    /// Takes a picture of the screen into the folder that `PARLEY_SCREENSHOTS` names, if it does.
    func screenshot(_ name: String) {
        guard let folder = ProcessInfo.processInfo.environment["PARLEY_SCREENSHOTS"] else { return }
        usleep(500_000)
        let camera = Process()
        camera.executableURL = URL(fileURLWithPath: "/usr/bin/import")
        camera.arguments = ["-window", "root", "\(folder)/\(name).png"]
        guard (try? camera.run()) != nil else { return }
        camera.waitUntilExit()
    }

    private var widgets: [Accessible] { applications.flatMap(\.visible) }

    private var applications: [Accessible] {
        Accessible.applications().filter { $0.processIdentifier == process.processIdentifier }
    }

    private func find(
        _ what: String, file: StaticString, line: UInt, _ matches: (Accessible) -> Bool
    ) throws -> Accessible {
        try poll(what, file: file, line: line) { self.widgets.first(where: matches) }
    }

    /// Asks again until there is an answer; a limit far above what it takes turns a hang into a failure, which ends the test.
    @discardableResult
    private func poll<Answer>(_ what: String, file: StaticString, line: UInt, _ ask: () -> Answer?) throws -> Answer {
        let limit = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < limit {
            if let answer = ask() { return answer }
            guard process.isRunning else { break }
            usleep(50_000)
        }
        let problem =
            process.isRunning
            ? "waited in vain for \(what); on the screen:\n" + names.joined(separator: "\n")
            : "the program ended while waiting for \(what):\n\(output.suffix(3000))"
        screenshot("failure-line-\(line)")
        XCTFail(problem, file: file, line: line)
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
    private static func program() throws -> URL {
        let folders =
            Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
            + [URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
        for folder in folders {
            for name in ["parley", "ParleyDesktop"] {
                let file = folder.appending(path: name)
                if FileManager.default.isExecutableFile(atPath: file.path) { return file }
            }
        }
        throw XCTSkip("The program parley is not built; build the whole package first.")
    }
}
