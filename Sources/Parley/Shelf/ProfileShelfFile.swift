import Foundation

/// What became of the list of profiles that can't be read; the profiles whose folders are there are known again, and closed.
public enum ShelfLoss: Equatable, Sendable {
    /// It was damaged, or of a later Parley, and has been put aside. (its path now)
    case damaged(aside: String)
    /// It can't be read, or not put aside. (its path)
    case unreadable(String)
}

/// Where a program's profiles are: the first in its folder, others beside it, and the list of them in a file beside it as well.
public struct ProfileShelfFile: Sendable {
    private let first: String

    /// The profiles around this folder, which is that of the first one.
    public init(first: String) { self.first = URL(fileURLWithPath: first).path }

    /// The folder of a profile.
    public func folder(of id: Int) -> String { id == 1 ? first : "\(first)-\(id)" }

    /// Where the list is.
    public var path: String { first + "-profiles.json" }

    /// Reads the list. A person without one has one profile.
    public func read() -> (shelf: ProfileShelf, loss: ShelfLoss?) {
        do {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let size = (attributes?[.size] as? NSNumber)?.intValue ?? 0
            guard size > ProfileShelf.mostBytes else {
                guard let bytes = try DurableFile.read(path) else { return (ProfileShelf(), nil) }
                if let shelf = ProfileShelf(decoding: bytes) { return (shelf, nil) }
                return putAside()
            }
            return putAside()
        } catch {
            return (found(), .unreadable(path))
        }
    }

    /// Writes the list; it is on disk when this returns. There is no file for a person who has never had but one profile.
    /// - Throws: `AccountError.folder`.
    public func write(_ shelf: ProfileShelf) throws(AccountError) {
        guard !shelf.isPlain || FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try DurableFile.write(shelf.encoded(), to: path)
        } catch {
            throw .folder(path)
        }
    }

    /// The numbers of profiles whose folders have something in them.
    public var taken: Set<Int> {
        let (folder, name) = (
            (first as NSString).deletingLastPathComponent, (first as NSString).lastPathComponent + "-"
        )
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let numbers = names.filter { $0.hasPrefix(name) }.compactMap { Int($0.dropFirst(name.count)) }
        return Set(numbers.filter { (2...ProfileShelf.highestNumber).contains($0) && isTaken($0) })
    }

    /// Whether a folder is that of a profile which a program knows beside others, and does not show.
    public static func isBehind(_ folder: String) -> Bool {
        let path = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        let parts = path.split(separator: "-", omittingEmptySubsequences: false)
        let base = parts.last.map { Int($0) != nil } == true ? parts.dropLast().joined(separator: "-") : path
        for first in [path, base] {
            let file = ProfileShelfFile(first: first)
            guard let bytes = try? DurableFile.read(file.path), let shelf = ProfileShelf(decoding: bytes),
                shelf.items.contains(where: { file.folder(of: $0.id) == path })
            else { continue }
            return file.folder(of: shelf.shown) != path
        }
        return false
    }

    private func isTaken(_ id: Int) -> Bool {
        let inside = try? FileManager.default.contentsOfDirectory(atPath: folder(of: id))
        return inside?.isEmpty != true
    }

    private func putAside() -> (shelf: ProfileShelf, loss: ShelfLoss?) {
        let aside = path + ".damaged"
        guard rename(path, aside) == 0 else { return (found(), .unreadable(path)) }
        DurableFile.syncFolder(of: path)
        return (found(), .damaged(aside: aside))
    }

    /// The profiles whose folders are there, when nothing else is known of them: none but the first receives anything unasked.
    private func found() -> ProfileShelf {
        let others = taken.filter { ProfileDirectory.hasProfile(folder(of: $0)) }.sorted()
        let items =
            [ProfileShelf.Item(id: 1, name: "", standing: .open)]
            + others.prefix(ProfileShelf.mostProfiles - 1).map {
                ProfileShelf.Item(id: $0, name: "", standing: .closed)
            }
        return ProfileShelf(items, shown: 1) ?? ProfileShelf()
    }
}
