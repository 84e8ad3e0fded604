import Foundation
import TestSupport
import Testing

/// What makes sounds.
private enum SoundTool {
    static var obstacle: String? {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/sox") ? nil : "not installed: sox"
    }
}

/// Whether the sounds of a call are those that `meson-helpers/make-sounds` makes.
@Suite(.needs(SoundTool.obstacle), .timeLimit(.minutes(5))) struct SoundScriptTests {
    private static let names = ["busy", "end", "in-another-call", "reconnecting", "ring", "ringback", "waiting"]

    private let folder: TemporaryFolder
    private let kept = Vectors.repository.appendingPathComponent("resources/sounds").path

    init() throws { folder = try TemporaryFolder() }

    /// Runs a program to its end; gives the names of the files there are in the test's folder then.
    private func run(_ words: String...) async throws {
        let process = try ChildProcess("/usr/bin/env", words, folder: folder.path)
        let status = try await process.exitStatus(within: .seconds(60))
        #expect(status == 0, "\(words): \(process.errors)")
    }

    /// A file's samples: 24 kHz, one channel.
    private func samples(of file: String) async throws -> [Int16] {
        try await run("sox", file, "-t", "raw", "-e", "signed", "-b", "16", "-L", folder.file("samples"))
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("samples")))
        return data.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))
            }
        }
    }

    @Test func `the script makes the sounds that are kept, sample for sample`() async throws {
        let script = Vectors.repository.appendingPathComponent("meson-helpers/make-sounds").path
        try await run(script, folder.file("made"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept).sorted() == Self.names.map { $0 + ".flac" })
        for name in Self.names {
            let made = try await samples(of: folder.file("made/\(name).flac"))
            let kept = try await samples(of: "\(kept)/\(name).flac")
            #expect(made.count == kept.count)
            // Another libm may round the other way.
            let difference = zip(made, kept).map { abs(Int($0) - Int($1)) }.max() ?? 0
            #expect(difference <= 1, "\(name) differs by \(difference)")
        }
    }

    @Test(arguments: [
        ("ring", -6.0), ("ringback", -14), ("busy", -14), ("end", -14), ("in-another-call", -14), ("reconnecting", -20),
        ("waiting", -22),
    ])
    func `the loudest sample of each sound is at its level`(_ name: String, _ decibels: Double) async throws {
        let samples = try await samples(of: "\(kept)/\(name).flac")
        let peak = samples.map { abs(Int($0)) }.max() ?? 0
        #expect(abs(20 * log10(Double(peak) / 32_768) - decibels) < 0.05)
    }
}
