import ArgumentParser
import MediaRules

extension SourceArgument {
    /// A film: `test`, or a file, with or without `file:` before its path.
    static func film(_ words: String) throws -> SourceArgument {
        switch SourceArgument(argument: words) {
        case .test: .test
        case .file(let path), .named(let path): .file(path)
        case .some(.none), nil: throw ValidationError("“\(words)” is no film")
        }
    }

    /// The words that name it.
    var argument: String {
        switch self {
        case .test: "test"
        case .none: "none"
        case .file(let path): "file:" + path
        case .named(let name): name
        }
    }
}
