import Foundation

/// What a program under test prints, in a folder of its own, which is gone when nobody needs it any more.
final class ProgramLog {
    /// The program's own folder.
    let folder: URL
    /// How the program was started, for failures.
    let title: String
    private let file: URL

    init(_ title: String) throws {
        self.title = title
        folder = try RunningProgram.emptyFolder()
        file = folder.appending(path: "log")
        try Data().write(to: file)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Where the program writes.
    func handle() throws -> FileHandle { try FileHandle(forWritingTo: file) }

    /// What it has printed so far.
    var text: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }
}
