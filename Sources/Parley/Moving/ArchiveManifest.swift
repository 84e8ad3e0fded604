import Agent
import Foundation

/// What a profile's file holds: the names and sizes of the profile's own files, in their order.
struct ArchiveManifest: Codable, Equatable {
    struct File: Codable, Equatable {
        /// Below the profile's folder.
        var path: String
        /// In bytes.
        var size: Int64
    }

    /// When it was written, in seconds since 1970.
    var madeAt: Int64
    var files: [File]

    /// More than a profile ever has.
    static let fileLimit = 64
    /// In bytes.
    static let sizeLimit: Int64 = 64 << 30

    /// The folder of the relay inside the program.
    static let relayFolder = "relay"
    /// What has to be there.
    static let store = CarriedStore.fileName

    init(madeAt: Int64, files: [File]) { (self.madeAt, self.files) = (madeAt, files) }

    /// Reads what ``encoded()`` wrote.
    ///
    /// - Throws: `MovingFault.damaged`, also where it names what no profile has.
    init(parsing bytes: [UInt8]) throws(MovingFault) {
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(bytes)), read.isSound else { throw .damaged }
        self = read
    }

    func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
    }

    /// The bytes of all files.
    var size: Int64 { files.reduce(0) { $0 + $1.size } }

    /// Whether the relay's own files are among them.
    var hasRelay: Bool { files.contains { $0.path.hasPrefix(Self.relayFolder + "/") } }

    private var isSound: Bool {
        let paths = files.map(\.path)
        var size: Int64 = 0
        for file in files {
            guard file.size >= 0, file.size <= Self.sizeLimit - size else { return false }
            size += file.size
        }
        return files.count <= Self.fileLimit && Set(paths).count == paths.count && paths.contains(Self.store)
            && paths.allSatisfy(Self.isPath)
    }

    /// Whether a profile may have a file of that name: nothing leads out of its folder.
    static func isPath(_ path: String) -> Bool {
        if path == store || path == StoredSettings.fileName { return true }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0] == relayFolder && isName(parts[1])
    }

    /// Letters, digits and `. _ -`, beginning with none of these.
    private static func isName(_ name: Substring) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard let first = name.utf8.first, isLetter(first), name.utf8.count <= 64 else { return false }
        return name.utf8.allSatisfy { isLetter($0) || "._-".utf8.contains($0) }
    }
}
