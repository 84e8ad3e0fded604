import Foundation
import TestSupport
import Testing

/// The check for folders of one target that use each other, on sources made up for it.
@Suite(.timeLimit(.minutes(5))) struct FolderCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs the check over these files, by their paths below `Sources`.
    private func check(
        _ files: [String: String], _ option: String? = nil
    ) async throws -> (status: Int32, lines: [String], errors: String) {
        for (path, text) in files {
            let file = URL(fileURLWithPath: folder.file("Sources/\(path)"))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let command = Vectors.repository.appendingPathComponent("meson-helpers/check-folders").path
        let process = try ChildProcess(command, (option.map { [$0] } ?? []) + [folder.path], folder: folder.path)
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
        "let ship: Row<Ferry>.Ship? = nil", "func load<Ship>(_ ship: Ship) {}",
        "struct Row<First, Ship: Equatable> { let ship: Ship }",
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

    // MARK: Members

    /// Ships, which need a harbour's name and add to routes, which are declared for all, and a harbour with some text in addition.
    private func route(
        _ harbour: String,
        adding: String = """
        extension Route {
            var hops: Int { 2 }
            static let none = Route(legs: 0)
            static func random() -> Route { none }
            init(text: String) { self.init(legs: 1) }
            init(_ other: Route) { self.init(legs: 1) }
            init(legs: Int, more: Int) { self.init(legs: legs + more) }
        }
        extension Data { init(_ route: Route) { self.init() } }
        func sounded() -> Int { 3 }
        let fathom = 6
        """
    ) -> [String: String] {
        var files = ship(harbour)
        files["Sea/Routes/Route.swift"] = "struct Route { let legs: Int; var label: Int { 1 } }"
        files["Sea/Ships/Route+Ships.swift"] = adding
        return files
    }

    @Test(arguments: [
        ("let hops = route().hops", "Route.hops"), ("let hops = routes.map(\\.hops)", "Route.hops"),
        ("let text = \"\\(route().hops) hops\"", "Route.hops"), ("let hops = route()\n    .hops", "Route.hops"),
        ("extension Route { var twice: Int { hops + legs } }", "Route.hops"),
        ("extension Route { func twice(hops: Int) -> Int { self.hops + hops } }", "Route.hops"),
        ("let none = Route.none", "Route.none"), ("let route = Route.random()", "Route.random"),
        ("extension Route { static let some = Self.random() }", "Route.random"),
        ("let route = Route(text: \"\")", "Route(text:)"), ("let route = Route(\n    text: text)", "Route(text:)"),
        ("let route = Route.init(text: \"\")", "Route(text:)"), ("let route = Route(other)", "Route(_:)"),
        ("let route = Route(\"a\")", "Route(_:)"), ("let route = Route([1])", "Route(_:)"),
        ("extension Route { init() { self.init(text: \"\") } }", "Route(text:)"),
        ("let depth = sounded()", "sounded"), ("let depth = 2 * fathom", "fathom"),
    ])
    func `what only another folder adds is seen`(harbour: String, name: String) async throws {
        let outcome = try await check(route(harbour))
        #expect(outcome.lines.first == "Sea: Harbours and Ships use each other.")
        #expect(outcome.lines.contains("    Harbours names \(name) (Harbour.swift)"))
    }

    @Test(arguments: [
        // The harbour has that name itself.
        "extension Harbour { var hops: Int { 2 } }\nlet hops = harbour().hops",
        "extension Harbour { enum Kind { case big(a: Int, Int),\n    hops } }\nlet kind: Harbour.Kind = .hops",
        "extension Harbour { private var hops: Int { 2 } }\nlet hops = harbour().hops",
        "func count() -> (hops: Int, legs: Int) { (1, 2) }\nlet hops = count().hops",
        "extension Harbour { static func random() -> Harbour { Harbour() } }\nlet home = Harbour.random()",
        // Something else of that name is meant.
        "extension Route { func twice(hops: Int) -> Int { 2 * hops } }",
        "extension Route { var twice: Int { let hops = legs; return 2 * hops } }",
        "extension Route { func twice() { each { hops in use(hops) } } }",
        "func twice(fathom: Int) -> Int { 2 * fathom }",
        "struct Kind { func use() { use(hops) } }", "let route = Route(hops: 2)", "let route = Route()",
        "let data = Data(bytes)", "let random = random()",
        // What the routes' own folder declares.
        "let label = Route(legs: 2).label", "let text = \"route().hops\"",
    ])
    func `a name that may be another one's is no use`(_ harbour: String) async throws {
        let outcome = try await check(route(harbour))
        #expect(outcome.lines == ["No two folders of a target use each other (targets with folders: 1)."])
    }

    @Test(arguments: [
        "extension Route { private var hops: Int { 2 } }", "extension Route { fileprivate static func hops() {} }",
        "extension Route { private nonisolated(unsafe) static var hops = 2 }",
        "private extension Route { var hops: Int { 2 } }",
        "private struct Hidden { enum Kind { static let hops = 2 } }",
        // A value of a type of its own comes from nobody else.
        "extension Ship { var hops: Int { 2 } }",
    ])
    func `what the other keeps for itself is not used`(_ ships: String) async throws {
        let outcome = try await check(route("let hops = value().hops + Route.hops + Kind.hops", adding: ships))
        #expect(outcome.status == 0)
    }

    @Test func `a name that several folders add says nothing`() async throws {
        var files = route("let hops = route().hops")
        files["Sea/Boats/Route+Boats.swift"] = "extension Route { func hops(_ harbour: Harbour) {} }"
        #expect(try await check(files).status == 0)
    }

    @Test func `a setter that is private hides no member`() async throws {
        let ships = "extension Route { public private(set) static var hops = 2 }"
        let outcome = try await check(route("let hops = Route.hops", adding: ships))
        #expect(outcome.lines.contains("    Harbours names Route.hops (Harbour.swift)"))
    }

    @Test(arguments: [
        // Another target that this one imports has it for others, or one that doesn't know this one names it.
        ["Air/Plane.swift": "struct Plane { public private(set) var hops: Int }", "Sea/Sea.swift": "import Air"],
        ["Air/Plane.swift": "public protocol Plane { var hops: Int { get } }", "Sea/Sea.swift": "import Air"],
        ["Air/Plane.swift": "public enum Plane { case hops }", "Sea/Sea.swift": "import Air"],
        ["Air/Plane.swift": "let hops = list.hops"],
    ])
    func `a name of another target or a package says nothing`(_ others: [String: String]) async throws {
        let files = route("let hops = route().hops").merging(others) { $1 }
        #expect(try await check(files).status == 0)
    }

    @Test(arguments: [
        // It is not imported, keeps it for itself, or knows this one.
        ["Air/Plane.swift": "struct Plane { public var hops: Int }"],
        ["Air/Plane.swift": "struct Plane { var hops: Int }", "Sea/Sea.swift": "import Air"],
        [
            "Air/Plane.swift": "import Land\nlet hops = route().hops", "Land/Land.swift": "import Sea",
            "Sea/Ships/Route+Ships.swift": "public extension Route { var hops: Int { 2 } }",
        ],
    ])
    func `a name that another target can't mean is seen`(_ others: [String: String]) async throws {
        let files = route("let hops = route().hops").merging(others) { $1 }
        #expect(try await check(files).lines.contains("    Harbours names Route.hops (Harbour.swift)"))
    }

    @Test(arguments: ["var fleet: [Ship] = []", "let fleet = Ship(home: home)", "weak var fleet: Ship? { nil }"])
    func `a property of the whole target stands for the folder of its type`(_ property: String) async throws {
        var files = ship("extension Sea { var isCalm: Bool { fleet == nil } }")
        files["Sea/Sea.swift"] = "struct Sea { \(property) }"
        let outcome = try await check(files)
        #expect(outcome.lines.contains("    Harbours names Sea.fleet (Harbour.swift)"))
    }

    @Test func `the uses of all folders can be listed`() async throws {
        var files = route("")
        files["Air/Planes/Plane.swift"] = "struct Plane { let port: Port }"
        files["Air/Ports/Port.swift"] = "struct Port {}"
        let outcome = try await check(files, "--uses")
        #expect(outcome.lines == ["Air/Planes: Ports", "Sea/Ships: Harbours, Routes"])
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
