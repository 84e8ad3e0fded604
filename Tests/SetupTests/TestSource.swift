import Foundation
import TestSupport

/// The text of a file with tests, as far as one can read it without a compiler: swift-format sees to the indentation.
struct TestSource {
    let name: String
    private let lines: [String]

    init(name: String, text: String) {
        self.name = name
        lines = text.components(separatedBy: "\n")
    }

    /// Every file with tests of this repository, or every one in another folder.
    static func all(in folder: String = "Tests") throws -> [TestSource] {
        let folder = Vectors.repository.appendingPathComponent(folder).path
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
            TestSource(name: name, text: try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
        }
    }

    /// The types that are declared here with a limit of time.
    var limitedTypes: Set<String> {
        Set(
            lines.indices.compactMap { index in
                guard let type = declaredType(index), !type.isExtension, hasLimit(index) else { return nil }
                return type.name
            })
    }

    /// The tests of Swift Testing without a limit of time, by their line: neither they have one nor a type around them, be it
    /// one of `limited`.
    func unlimitedTests(_ limited: Set<String>) -> [String] {
        lines.indices.filter { index in
            lines[index].wholeMatch(of: #/\s*@Test\b.*/#) != nil && !testHasLimit(index) && !isInside(limited, index)
        }.map { "\(name):\($0 + 1)" }
    }

    /// The tests of Swift Testing whose name is no sentence, by their line.
    var unnamedTests: [String] {
        lines.indices.filter { index in
            guard lines[index].wholeMatch(of: #/\s*@Test\b.*/#) != nil else { return false }
            let function = #/\s*(@\w+(\(.*\))? )*((private|static|mutating|nonisolated) )*func .*/#
            let declaration = lines[index...].first { $0.wholeMatch(of: function) != nil } ?? ""
            return declaration.firstMatch(of: #/func `[^`]+ [^`]+`/#) == nil || declaration.contains("@Test(\"")
        }.map { "\(name):\($0 + 1)" }
    }

    /// The lines with one of these texts.
    func lines(with texts: [String]) -> [String] {
        lines.indices.filter { index in texts.contains { lines[index].contains($0) } }.map { "\(name):\($0 + 1)" }
    }

    private func testHasLimit(_ index: Int) -> Bool {
        let end = lines[index...].firstIndex { $0.contains("func ") } ?? index
        return lines[index...end].contains { $0.contains(".timeLimit(") }
    }

    private func isInside(_ limited: Set<String>, _ index: Int) -> Bool {
        var column = indentation(index)
        for above in lines[..<index].indices.reversed() where column > 0 {
            guard !lines[above].isEmpty, indentation(above) < column, let type = declaredType(above) else { continue }
            if hasLimit(above) || limited.contains(type.name) { return true }
            column = indentation(above)
        }
        return false
    }

    private func declaredType(_ index: Int) -> (name: String, isExtension: Bool)? {
        let words = #/(?:.*[ )])?(struct|class|enum|actor|extension) (\w+).*/#
        guard let match = lines[index].wholeMatch(of: words), !lines[index].contains("//") else { return nil }
        return (String(match.2), match.1 == "extension")
    }

    /// Looks through the attributes of a type, which may stand on the lines before it.
    private func hasLimit(_ index: Int) -> Bool {
        var first = index
        while first > 0, isAttribute(first - 1, of: index) { first -= 1 }
        return lines[first...index].contains { $0.contains(".timeLimit(") }
    }

    private func isAttribute(_ line: Int, of index: Int) -> Bool {
        let text = lines[line].trimmingCharacters(in: .whitespaces)
        return !text.isEmpty && !text.hasPrefix("//") && !text.hasSuffix("{") && !text.hasSuffix("}")
            && indentation(line) >= indentation(index)
    }

    private func indentation(_ index: Int) -> Int { lines[index].prefix { $0 == " " }.count }
}
