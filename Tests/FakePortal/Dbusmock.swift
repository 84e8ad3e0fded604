import Foundation

/// python-dbusmock, which pretends services of a desktop.
enum Dbusmock {
    static let python = "/usr/bin/python3"

    /// Why it can't be started here.
    static var obstacle: String? {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        let isThere = folders.filter { $0.hasPrefix("python3") }.contains { folder in
            ["dist-packages", "site-packages"].contains {
                FileManager.default.fileExists(atPath: "/usr/lib/\(folder)/\($0)/dbusmock")
            }
        }
        return isThere ? nil : "python-dbusmock is not installed."
    }
}
