import CGtk
import GLibKit
import UserGuide

/// The user's guide as the program holds it: the files of `docs/guide`, in the language of the person where they are translated.
@MainActor struct GuideLibrary {
    /// A chapter among others.
    struct Entry: Equatable {
        /// Its file, as links in the guide name it.
        let file: String
        let title: String
    }

    /// The chapters, in order.
    let entries: [Entry]
    private let folder: String

    /// Looks for the guide in the first of these languages that it has; English where it has none of them.
    init(languages: [String] = Self.personLanguages) {
        let found = languages.lazy.map { $0 == "en" || $0 == "C" ? Self.root : Self.root + "/" + $0 }
            .first { Self.contents(of: $0 + "/README.md") != nil }
        folder = found ?? Self.root
        entries = Self.entries(in: folder)
    }

    /// A chapter; nil where there is none of this file.
    func chapter(_ file: String) -> GuideChapter? {
        Self.contents(of: folder + "/" + file).flatMap { try? GuideChapter(parsing: $0) }
    }

    /// Where a picture of a chapter is among the resources.
    func resource(of picture: String) -> String { folder + "/" + picture }

    private static let root = Template.folder + "/guide"

    /// The languages that the person reads, the best first, as gettext goes by them.
    private static var personLanguages: [String] {
        var names: [String] = []
        var next = g_get_language_names()
        while let name = next?.pointee {
            names.append(String(cString: name))
            next = next?.successor()
        }
        return names
    }

    /// The chapters are what the index links to.
    private static func entries(in folder: String) -> [Entry] {
        guard let text = contents(of: folder + "/README.md"), let index = try? GuideChapter(parsing: text) else {
            return []
        }
        return index.blocks.flatMap { block in
            guard case .list(let items, _) = block else { return [Entry]() }
            return items.compactMap { item in item.targets.first.map { Entry(file: $0, title: item.words) } }
        }
    }

    private static func contents(of path: String) -> String? {
        (try? Resources.contents(of: path)).map { String(decoding: $0, as: UTF8.self) }
    }
}
