import Foundation

// As it is kept: no paths, so that a file from elsewhere leads to no folder but those of profiles.
extension ProfileShelf {
    private struct Content: Codable {
        struct Entry: Codable {
            var number: Int
            var name: String
            var standing: String
        }

        var version: Int
        var shown: Int
        var profiles: [Entry]
    }

    private static let version = 1
    /// The most bytes that are looked at.
    static let mostBytes = 65_536

    /// What is kept of the profiles; nil for what is no such thing, or of a later Parley.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count <= Self.mostBytes,
            let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)),
            content.version == Self.version, content.profiles.count <= Self.mostProfiles
        else { return nil }
        var items: [Item] = []
        for entry in content.profiles {
            guard let standing = Standing(rawValue: entry.standing) else { return nil }
            items.append(Item(id: entry.number, name: DisplayName.cleaned(entry.name) ?? "", standing: standing))
        }
        self.init(items, shown: content.shown)
    }

    /// What is kept of the profiles: all but a draft.
    func encoded() -> [UInt8] {
        let kept = items.filter { $0.standing != .draft }
        let entries = kept.map { Content.Entry(number: $0.id, name: $0.name, standing: $0.standing.rawValue) }
        let content = Content(version: Self.version, shown: shown, profiles: entries)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Nothing in it can't be written.
        return (try? encoder.encode(content)).map { [UInt8]($0) } ?? []
    }
}
