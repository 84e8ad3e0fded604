import Foundation
import TestSupport
import Testing

/// The check for folders of one target that use each other, on sources made up for it.
@Suite(.timeLimit(.minutes(5))) struct FolderCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs the check over these files, by their paths below `Sources`.
    private func check(_ files: [String: String]) async throws -> (status: Int32, lines: [String], errors: String) {
        for (path, text) in files {
            let file = URL(fileURLWithPath: folder.file("Sources/\(path)"))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let command = Vectors.repository.appendingPathComponent("meson-helpers/check-folders").path
        let process = try ChildProcess(command, [folder.path], folder: folder.path)
        return (try await process.exitStatus(within: .seconds(60)), process.lines, process.errors)
    }

    /// A ship that needs a harbour's name, which is harmless, and a harbour with some text in addition.
    private func ship(_ harbour: String) -> [String: String] {
        [
            "Sea/Ships/Ship.swift": "struct Ship { let home: Harbour }",
            "Sea/Harbours/Harbour.swift": "struct Harbour {}\n\(harbour)",
        ]
    }

    @Test func `two folders that use each other are named with types and files`() async throws {
        let outcome = try await check(ship("extension Harbour { func greet(_ ship: Ship) {} }"))
        #expect(outcome.status == 1)
        #expect(
            outcome.lines == [
                "Sea: Harbours and Ships use each other.", "    Harbours names Ship (Harbour.swift)",
                "    Ships names Harbour (Ship.swift)", "Pairs of folders that use each other: 1.",
            ])
    }

    @Test func `every pair of every target is counted`() async throws {
        let outcome = try await check([
            "Sea/Ships/Ship.swift": "struct Ship { let home: Harbour; let map: Map }",
            "Sea/Harbours/Pier/Harbour.swift": "final class Harbour { var ships: [Ship] = [] }",
            "Sea/Maps/Map.swift": "enum Map { case of(Ship) }",
            "Air/Planes/Plane.swift": "actor Plane { var port: Port? }",
            "Air/Ports/Port.swift": "protocol Port { var planes: [Plane] { get } }",
        ])
        #expect(outcome.status == 1)
        #expect(outcome.lines.filter { $0.hasSuffix("use each other.") }.count == 3)
        #expect(outcome.lines.last == "Pairs of folders that use each other: 3.")
    }

    @Test(arguments: [
        // Nothing, comments, text.
        "", "// A Ship.", "/* A /* nested */ Ship. */", "let text = \"a Ship\"", "let text = #\"a \"\\(Ship())\" \"#",
        "let text = \"\"\"\n    a \"Ship\"\n    \"\"\"",
        // Other types with that name.
        "extension Harbour { enum Ship { case big; static let first = Ship.big } }",
        "extension Harbour { func use(_ ship: Ferry.Ship) {} }", "private struct Ship {}\nlet ship = Ship()",
        "func load<Ship>(_ ship: Ship) {}", "struct Row<First, Ship: Equatable> { let ship: Ship }",
        "protocol Fleet { associatedtype Ship; func add(_ ship: Ship) }",
        "@available(*, deprecated) fileprivate final class Ship {}\nlet ship = Ship()",
    ])
    func `a use in one direction is no pair`(_ harbour: String) async throws {
        let outcome = try await check(ship(harbour))
        #expect(outcome.lines == ["No two folders of a target use each other (targets with folders: 1)."])
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
    }

    @Test(arguments: [
        "let text = \"a \\(Ship.self)\"", "let text = \"a \\(\"b \\(name(\"c\", of: Ship.self)) d\") e\"",
        "let text = #\"a \\#(Ship.self) \"#", "let text = \"\"\"\n    a \\(Ship\n    .self)\n    \"\"\"",
        "/* not this */ let ship: Ship? = nil", "let url = \"smp://a\"; let ship: Ship? = nil", "let ship = Sea.Ship()",
        "extension Harbour { enum Kind {}; func use(_ ship: Ship) {} }",
        "enum Other { enum Ship {} }\nlet ship: Ship? = nil", "typealias Guest = Optional<Ship>",
        "extension Harbour { static func < (a: Harbour, b: Ship) -> Bool { true } }",
        "struct Row<Element: Ship> {}", "private let ship: Ship? = nil", "extension Ship {}",
    ])
    func `a use is seen wherever code can stand`(_ harbour: String) async throws {
        let outcome = try await check(ship(harbour))
        #expect(outcome.lines.first == "Sea: Harbours and Ships use each other.")
        #expect(outcome.status == 1)
    }

    @Test func `a nested type is known in every file of its type`() async throws {
        var files = ship("extension Harbour { enum Ship {} }")
        files["Sea/Harbours/Harbour+Use.swift"] = "extension Harbour { func use(_ ship: Ship) {} }"
        #expect(try await check(files).status == 0)
    }

    @Test func `a name that two folders declare says nothing`() async throws {
        var files = ship("let ship: Ship? = nil")
        files["Sea/Toys/Ship.swift"] = "struct Ship { let home: Harbour }"
        #expect(try await check(files).status == 0)
    }

    @Test func `files directly in a target's folder belong to no folder`() async throws {
        let outcome = try await check([
            "Sea/Sea.swift": "struct Sea { let ship: Ship }", "Sea/Ships/Ship.swift": "struct Ship { let sea: Sea }",
        ])
        #expect(outcome.status == 0)
    }

    @Test func `targets don't know each other's types`() async throws {
        let outcome = try await check([
            "Sea/Ships/Ship.swift": "struct Ship { let home: Harbour }",
            "Sea/Harbours/Harbour.swift": "struct Harbour { let plane: Plane }",
            "Air/Ships/Plane.swift": "struct Plane {}",
        ])
        #expect(outcome.status == 0)
    }

    @Test(arguments: ["struct Ship {", "struct Ship {} }", "let ship = \"\"\"", "/* a ship"])
    func `what can't be read is a failure, not silence`(_ text: String) async throws {
        let outcome = try await check(["Sea/Ships/Ship.swift": text, "Sea/Harbours/Harbour.swift": "struct Harbour {}"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("Sources/Sea/Ships/Ship.swift"))
    }

    @Test func `no sources at all are a failure`() async throws {
        let outcome = try await check(["Sea/notes.txt": "Ship"])
        #expect(outcome.status == 1)
        #expect(outcome.lines == ["no target with folders was found"])
    }
}
