import Foundation
import TestSupport
import Testing

/// The windows of one program where several have windows of the same titles, under a window manager.
struct ProgramWindows {
    private let program: RunningProgram

    /// The windows of this program.
    init(of program: RunningProgram) { self.program = program }

    /// Brings a window to the front and gives it the keys, once it is there; gives its number on the X server.
    @discardableResult
    func bringForward(_ title: String) throws -> String {
        let window = try window(title)
        try Keyboard.activate(window)
        return window
    }

    /// Closes a window, as a person does by the keyboard.
    func close(_ title: String) throws {
        try bringForward(title)
        try Keyboard.press("ctrl+w")
        try seeNoMore(title)
    }

    /// Waits until a window has closed.
    func seeNoMore(_ title: String) throws {
        try waitUntil("“\(title)” to close") { try find(title) == nil }
    }

    /// Takes a picture of a window, in front of all others, into a file of this path.
    func capture(_ title: String, to path: String) throws {
        try Tool.run("import", "-window", try bringForward(title), "-depth", "8", path)
    }

    /// Waits until a window shows enough of a colour (0xRRGGBB) to be seen, in front of all others.
    func seeColour(_ colour: UInt32, in title: String) throws {
        let folder = try TemporaryFolder()
        try waitUntil("the colour in “\(title)”") {
            try capture(title, to: "ppm:" + folder.file("window"))
            return try Self.count(colour, in: [UInt8](Data(contentsOf: URL(filePath: folder.file("window"))))) > 200
        }
    }

    private func window(_ title: String) throws -> String {
        var found: String?
        try waitUntil("the window “\(title)”") {
            found = try find(title)
            return found != nil
        }
        return found ?? ""
    }

    private func find(_ title: String) throws -> String? {
        try Tool.run(
            "xdotool", "search", "--onlyvisible", "--all", "--pid", "\(program.processIdentifier)", "--name",
            "^\(title)$", mayFail: true
        ).split(separator: "\n").last.map(String.init)
    }

    /// How many pixels of a picture (PPM, three bytes a pixel) have about this colour.
    private static func count(_ colour: UInt32, in file: [UInt8]) -> Int {
        let wanted = [16, 8, 0].map { Int(colour >> $0 & 0xFF) }
        // Its head has four words, and one space behind the last.
        var (position, spaces) = (0, 0)
        while position < file.count, spaces < 4 {
            if file[position] == 0x20 || file[position] == 0x0A { spaces += 1 }
            position += 1
        }
        return stride(from: position, to: file.count - 2, by: 3).count { pixel in
            (0..<3).allSatisfy { abs(Int(file[pixel + $0]) - wanted[$0]) < 24 }
        }
    }
}
