import Foundation
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// Files with sound, and files without.
    @Suite struct DecodedSoundTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            try MediaRuntime.start()
        }

        private func fault(of path: String) -> MediaError? {
            do throws(MediaError) {
                _ = try DecodedSound(.file(path))
                return nil
            } catch {
                return error
            }
        }

        @Test(arguments: [("ring", 4.0), ("ringback", 5), ("busy", 4), ("end", 1.2), ("reconnecting", 4)])
        func `each sound of ours is read whole`(_ name: String, _ seconds: Double) throws {
            let sound = try DecodedSound(.file(OwnSound.path(name)))
            #expect(abs(Double(sound.count) / 48_000 - seconds) < 0.001)
        }

        @Test func `a file with a strange name is read`() throws {
            let path = folder.file("100% Ärger #1? ! a=b.wav")
            try WaveFile.write(path, samples: 4_800, frequency: 440)
            #expect(try DecodedSound(.file(path)).count == 4_800)
        }

        @Test func `of a long file the first minute is read`() throws {
            let path = folder.file("long.wav")
            try WaveFile.write(path, samples: 61 * 48_000, frequency: 440)
            #expect(try DecodedSound(.file(path)).count == 60 * 48_000)
        }

        @Test func `what can't be read is named`() throws {
            let text = folder.file("text.flac")
            try Data("This is no sound.\n".utf8).write(to: URL(fileURLWithPath: text))
            let cut = folder.file("cut.flac")
            try Data(contentsOf: URL(fileURLWithPath: OwnSound.path("ring"))).prefix(30)
                .write(to: URL(fileURLWithPath: cut))
            let empty = folder.file("empty.wav")
            try WaveFile.write(empty, samples: 0, frequency: 440)
            for path in [text, cut, empty, folder.file("missing.flac"), folder.path] {
                guard case .soundFile(.file(path), _) = fault(of: path) else {
                    Issue.record("\(path): \(String(describing: fault(of: path)))")
                    continue
                }
            }
            #expect(Pipeline.live == 0)
        }
    }
}

/// The sounds of a call, as they are kept.
enum OwnSound {
    static func path(_ name: String) -> String {
        Vectors.repository.appendingPathComponent("resources/sounds/\(name).flac").path
    }
}
