import ArgumentParser
import Foundation
import MediaRules

/// The value of `--camera` and `--microphone`.
enum SourceArgument: ExpressibleByArgument, Equatable, Sendable {
    case test
    case none
    case file(String)
    case named(String)

    init?(argument: String) {
        switch argument {
        case "": return nil
        case "test": self = .test
        case "none": self = .none
        case let file where file.hasPrefix("file:"):
            let path = String(file.dropFirst("file:".count))
            guard !path.isEmpty else { return nil }
            self = .file(path)
        default: self = .named(argument)
        }
    }

    var camera: CameraSource {
        switch self {
        case .test: .test
        case .none: .none
        case .file(let path): .file(path)
        case .named(let name): .named(name)
        }
    }

    var microphone: MicrophoneSource {
        switch self {
        case .test: .test
        case .none: .none
        case .file(let path): .file(path)
        case .named(let name): .named(name)
        }
    }

    static func isReadableFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            && FileManager.default.isReadableFile(atPath: path)
    }
}
