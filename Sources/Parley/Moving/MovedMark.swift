import Foundation

/// The file `moved.json` in the folder of a profile that was carried elsewhere: it is never opened again.
struct MovedMark: Codable, Equatable {
    static let fileName = "moved.json"

    /// Where the profile's file was written to.
    var file: String
    /// When, in seconds since 1970.
    var movedAt: Int64

    /// Reads the mark of a profile; nil when it was not carried elsewhere. One that can't be read counts as well.
    static func read(in directory: ProfileDirectory) -> MovedMark? {
        let path = directory.file(fileName)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let data = FileManager.default.contents(atPath: path) ?? Data()
        return (try? JSONDecoder().decode(MovedMark.self, from: data)) ?? MovedMark(file: "", movedAt: 0)
    }

    private static let remains: Set<String> = [fileName, ProfileLock.fileName, StoreKeyRecord.fileName]

    /// Whether a folder has nothing but what is left of a profile that was carried elsewhere.
    static func isAllThatIsLeft(in path: String) -> Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return false }
        return names.contains(fileName) && remains.isSuperset(of: names)
    }

    /// Removes what is left of such a profile; the folder stays.
    static func clear(_ path: String) {
        for name in remains { try? FileManager.default.removeItem(atPath: path + "/" + name) }
    }

    /// Writes the mark; it is on disk when this returns.
    func write(in directory: ProfileDirectory) throws(AccountError) {
        do {
            try DurableFile.write([UInt8](try JSONEncoder().encode(self)), to: directory.file(Self.fileName))
        } catch {
            throw .folder(directory.path)
        }
    }
}
