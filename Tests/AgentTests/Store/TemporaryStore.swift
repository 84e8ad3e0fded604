import Cryptography
import Foundation

@testable import Agent

/// A folder that goes when the test is over.
final class TemporaryFolder: Sendable {
    let path: String

    init(in folder: String = FileManager.default.temporaryDirectory.path) {
        path = folder + "/parley-agent-" + UUID().uuidString
    }

    /// All bytes of all files in the folder, one after another.
    func contents() throws -> [UInt8] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted().flatMap { name in
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
        }
    }

    /// A copy of the folder as it lies on disk now: what a crash at this moment would leave.
    func copy() throws -> TemporaryFolder {
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(atPath: path, toPath: copy.path)
        return copy
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A key with a pattern that a search of the file would find.
let testStoreKey = SecretBytes((0..<32).map { UInt8($0) ^ 0x5A })

extension Sequence<UInt8> {
    /// Whether `needle` occurs.
    func contains(_ needle: [UInt8]) -> Bool {
        Data(self).range(of: Data(needle)) != nil
    }
}
