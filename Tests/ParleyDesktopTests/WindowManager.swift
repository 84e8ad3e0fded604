import BaseKit
import Foundation
import TestSupport

/// A window manager for one test: without one there is no focus to take and nothing to minimise. It ends with the object.
final class WindowManager {
    private static let mark = "_NET_SUPPORTING_WM_CHECK"
    private let process: ChildProcess

    /// Starts it and waits until it manages the screen.
    init() throws {
        try Tool.run("xprop", "-root", "-remove", Self.mark)  // of one before
        process = try ChildProcess(
            "/usr/bin/openbox", ["--sm-disable"], folder: try RunningProgram.emptyFolder().path)
        let limit = Instant.now + .seconds(60)
        while !(try Tool.run("xprop", "-root", Self.mark)).contains("window id") {
            guard Instant.now < limit else { throw Tool.Failure(words: ["openbox"], status: -1) }
            usleep(50_000)
        }
    }
}
