import CGtk
import Foundation
import GLibKit
import Testing

@testable import DesktopApplication

@Suite(.windows, .serialized, .timeLimit(.minutes(5)))
final class WindowGeometryTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    @Test func `the size is remembered by the schema of the source tree`() throws {
        let folder = try RunningProgram.emptyFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../data").path
        compiler.arguments = ["glib-compile-schemas", "--strict", "--targetdir=\(folder.path)", data]
        try compiler.run()
        compiler.waitUntilExit()
        #expect(compiler.terminationStatus == 0)
        onMain {
            let first = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
            gtk_window_set_default_size(first.pointer(), 777, 555)
            WindowGeometry(directory: folder.path).save(first)
            let second = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
            WindowGeometry(directory: folder.path).restore(second)
            #expect(second[property: "default-width"] == 777)
            #expect(second[property: "default-height"] == 555)
            #expect(WindowGeometry(directory: folder.path).mini == MiniWindowGeometry())
            let mini = MiniWindowGeometry(width: 400, height: 300, place: .init(x: -12, y: 34))
            WindowGeometry(directory: folder.path).mini = mini
            #expect(WindowGeometry(directory: folder.path).mini == mini)
            WindowGeometry(directory: folder.path).mini = MiniWindowGeometry(width: 401, height: 300)
            #expect(
                WindowGeometry(directory: folder.path).mini
                    == MiniWindowGeometry(width: 401, height: 300, place: mini.place), "Wayland forgets the place")
            gtk_window_destroy(first.pointer())
            gtk_window_destroy(second.pointer())
        }
    }
}
