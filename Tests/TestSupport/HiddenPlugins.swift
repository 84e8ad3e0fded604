import Foundation

/// A machine's GStreamer without some of its plugins, for programs that a test starts: a folder with links to all the others.
public final class HiddenPlugins: Sendable {
    private let folder: TemporaryFolder
    private let origin: String

    /// Why it can't be pretended here; nil where it can.
    public static let obstacle: String? = origin == nil ? "There are no plugins of GStreamer's." : nil

    /// Hides plugins by their files' names without `lib` and `.so`, such as `gstwebrtc`.
    public init(_ names: String...) throws {
        guard let origin = Self.origin else { throw Overdue("no plugins") }
        self.origin = origin
        folder = try TemporaryFolder()
        for file in try FileManager.default.contentsOfDirectory(atPath: origin) where file.hasSuffix(".so") {
            if !names.contains(where: { file == "lib\($0).so" }) { try link(file) }
        }
    }

    /// The variables for a program that is to see it so, with a registry of its own.
    public var environment: [String: String] {
        [
            "GST_PLUGIN_SYSTEM_PATH_1_0": folder.path, "GST_PLUGIN_PATH_1_0": "",
            "GST_REGISTRY": folder.file("registry.bin"),
        ]
    }

    /// The same for `/usr/bin/env`.
    public var settings: [String] { environment.map { "\($0)=\($1)" } }

    /// Installs a hidden plugin.
    public func install(_ name: String) throws { try link("lib\(name).so") }

    private func link(_ file: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(file), withDestinationPath: origin + "/" + file)
    }

    private static let origin: String? = {
        let triples = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        let folders = (triples.map { "/usr/lib/" + $0 } + ["/usr/lib64", "/usr/lib"]).map { $0 + "/gstreamer-1.0" }
        return folders.first { FileManager.default.fileExists(atPath: $0 + "/libgstcoreelements.so") }
    }()
}
