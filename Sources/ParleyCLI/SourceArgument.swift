import ArgumentParser
import Foundation
import MediaRules

/// The value of `--camera` and `--microphone`.
extension SourceArgument: ExpressibleByArgument {
    static func isReadableFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            && FileManager.default.isReadableFile(atPath: path)
    }
}
