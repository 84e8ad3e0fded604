import Foundation

/// The programs of this package, as built for the tests.
public enum BuiltProgram {
    /// The program of that product, beside the test bundle or in one of the folders above it.
    public static func named(_ product: String) -> URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
        while folder.path != "/" {
            let program = folder.appendingPathComponent(product)
            if FileManager.default.isExecutableFile(atPath: program.path) { return program }
            folder.deleteLastPathComponent()
        }
        return Vectors.repository.appendingPathComponent(".build/debug/\(product)")
    }
}
