import BaseKit
import Foundation

/// A screen of one end's own, in memory.
final class PictureScreen: Sendable {
    private let program: PipedProgram
    private let display: String

    /// Whether the program that makes it is installed.
    static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/Xvfb") }

    /// Makes one of 1280 by 800 pixels. Throws ``BenchError``.
    init(in folder: String) async throws {
        guard Self.isPossible else { throw BenchError.screenMissing }
        let told = Shared<String?>(nil)
        program = try PipedProgram(
            // It says of each number that is taken that it is.
            [
                "sh", "-c", #"exec "$@" 2>/dev/null"#, "sh", "Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24",
                "-nolisten", "tcp",
            ],
            environment: ["HOME": folder, "PATH": "/usr/bin:/bin"], separator: UInt8(ascii: "\n")
        ) { record in
            if let record { told.value = String(decoding: record, as: UTF8.self) }
        }
        do {
            let limit = Instant.now + .seconds(20)
            while told.value == nil, .now < limit { try await Task.sleep(for: .milliseconds(20)) }
            guard let number = told.value else { throw BenchError.call("Xvfb does not start") }
            display = ":" + number
        } catch {
            program.finish()
            throw error
        }
    }

    /// With what a program must have in its environment to draw there, by the processor alone.
    func environment(adding other: [String: String]) -> [String: String] {
        let own = ["DISPLAY": display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none"]
        return other.merging(own) { $1 }
    }

    /// Takes it away, with its socket.
    func stop() { program.finish() }
}
