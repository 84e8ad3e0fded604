import Foundation
import TestSupport
import Testing

/// Everything the fuzzer ever found of interest, once more, in the ordinary build.
@Suite(.timeLimit(.minutes(5))) struct CorpusTests {
    private static let folder = Vectors.repository.appendingPathComponent("Tests/FuzzTests/Corpus")

    private func files(_ target: String) throws -> [URL] {
        let folder = Self.folder.appendingPathComponent(target)
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
    }

    @Test(arguments: FuzzTarget.all.map(\.name)) func `the corpus is taken without a fault`(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        for file in try files(name) {
            #expect(throws: Never.self, "\(file.lastPathComponent)") { try target.run([UInt8](Data(contentsOf: file))) }
        }
    }

    @Test(arguments: FuzzTarget.all.map(\.name)) func `real inputs are taken without a fault`(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let seeds = try FuzzSeeds().of(name)
        #expect(!seeds.isEmpty)
        for seed in seeds { #expect(throws: Never.self, "\(seed.hexadecimal)") { try target.run(seed) } }
    }

    @Test func `every folder of the corpus belongs to a target`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(folders.count > 30)
        #expect(Set(folders).isSubset(of: FuzzTarget.all.map(\.name)))
    }

    @Test func `a target reports what should not be`() {
        let target = FuzzTarget(name: "never") { try require($0.isEmpty, "bytes") }
        #expect(throws: FuzzViolation.self) { try target.run([1]) }
        #expect(throws: Never.self) { try target.run([]) }
    }
}
