import Foundation
import TestSupport
import Testing

@testable import DesktopSession

@Suite(.timeLimit(.minutes(5))) struct AutostartTests {
    private let folder: TemporaryFolder
    private let autostart: Autostart

    init() throws {
        folder = try TemporaryFolder()
        autostart = Self.autostart(["/usr/bin/parley", "--background"], in: folder)
    }

    private static func autostart(_ command: [String], in folder: TemporaryFolder) -> Autostart {
        Autostart(.init(name: "org.example.Test", title: "Test", command: command), folder: folder.path + "/autostart")
    }

    private var file: String { folder.path + "/autostart/org.example.Test.desktop" }
    private var text: String { get throws { try String(contentsOfFile: file, encoding: .utf8) } }

    @Test func `nothing is decided at first`() { #expect(autostart.choice == .undecided) }

    @Test func `a yes makes an entry that desktops read`() throws {
        try autostart.set(true)
        #expect(autostart.choice == .on)
        let lines = Set(try text.split(separator: "\n").map(String.init))
        #expect(
            lines.isSuperset(of: [
                "[Desktop Entry]", "Type=Application", "Name=Test", "Exec=/usr/bin/parley --background", "Hidden=false",
            ]))
    }

    @Test func `a no is remembered`() throws {
        try autostart.set(true)
        try autostart.set(false)
        #expect(autostart.choice == .off)
        #expect(try text.contains("Hidden=true"))
    }

    @Test(arguments: ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
    func `what the desktop's own tools switch off is off`(line: String) throws {
        try autostart.set(true)
        let kept = try text.replacing("Hidden=false", with: line)
        try kept.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(autostart.choice == .off)
    }

    @Test(arguments: ["", "nonsense", "[Other]\nType=Application\n\u{0}"])
    func `a damaged entry decides nothing and can be replaced`(content: String) throws {
        try autostart.set(true)
        try Data([0xff] + Array(content.utf8)).write(to: URL(filePath: file))
        #expect(autostart.choice == .undecided)
        try autostart.set(true)
        #expect(autostart.choice == .on)
    }

    @Test func `a program that was moved is named where it is now, and only then`() throws {
        try autostart.set(true)
        let moved = Self.autostart(["/opt/parley", "--background"], in: folder)
        try moved.refresh()
        #expect(try text.contains("Exec=/opt/parley --background\n"))
        try moved.set(false)
        try autostart.refresh()
        #expect(moved.choice == .off)
    }

    @Test func `an entry that can't be written is an error`() throws {
        try Data().write(to: URL(filePath: folder.path + "/autostart"))
        #expect(throws: (any Error).self) { try autostart.set(true) }
        #expect(autostart.choice == .undecided)
    }

    @Test(arguments: [
        ("/usr/bin/parley", "/usr/bin/parley"), ("/home/Ada L/parley", "\"/home/Ada L/parley\""),
        ("/a$b`c\"d\\e", "\"/a\\$b\\`c\\\"d\\\\e\""), ("/100%", "/100%%"), ("", "\"\""),
    ])
    func `words are quoted as the specification has it`(word: String, expected: String) {
        #expect(Autostart.quoted([word]) == expected)
    }
}
