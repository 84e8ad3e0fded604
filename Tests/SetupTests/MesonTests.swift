import Foundation
import TestSupport
import Testing

/// What is installed, and what that needs.
@Suite(.timeLimit(.minutes(5))) struct MesonTests {
    private static func text(_ name: String) throws -> String {
        try String(contentsOf: Vectors.repository.appendingPathComponent(name), encoding: .utf8)
    }

    /// Swift passes over a library that pkg-config does not know, and the build fails an hour later.
    @Test func `every library that the programs need is asked for before the build`() throws {
        // The first part of the package; what follows is for fuzzing.
        let package = try #require(try Self.text("Package.swift").components(separatedBy: "PARLEY_FUZZ").first)
        let libraries = try package.matches(of: Regex(#"pkgConfig:\s*("""[^"]*"""|"[^"]*")"#)).flatMap { match in
            String(package[match.range]).dropFirst("pkgConfig:".count)
                .split { $0.isWhitespace || $0 == "\"" || $0 == "\\" }.map(String.init)
        }
        // What tests alone need; GRDB finds its own library.
        let needed = Set(libraries).subtracting(["atspi-2"]).union(["sqlite3"])
        #expect(needed.count > 10)
        let meson = try Self.text("meson.build")
        #expect(needed.filter { !meson.contains("'\($0)': '>= ") }.sorted() == [])
    }

    @Test func `what is installed is what people use`() throws {
        let meson = try Self.text("meson.build")
        let line = try #require(meson.split(separator: "\n").first { $0.hasPrefix("programs = ") })
        #expect(line == "programs = ['parley', 'parley-cli', 'parley-relay']")
    }
}
