/// A source of picture or sound as a command line names it: `test`, `none`, `file:PATH`, or a device's name or id.
package enum SourceArgument: Equatable, Sendable {
    case test
    case none
    case file(String)
    case named(String)

    /// Nil for no words, and for a file without a path.
    package init?(argument: String) {
        switch argument {
        case "": return nil
        case "test": self = .test
        case "none": self = .none
        case _ where argument.hasPrefix("file:"):
            let path = String(argument.dropFirst("file:".count))
            guard !path.isEmpty else { return nil }
            self = .file(path)
        default: self = .named(argument)
        }
    }
}

/// A kind of source of which each can be named on a command line.
package protocol NamedSource {
    static var test: Self { get }
    static var none: Self { get }
    static func file(_ path: String) -> Self
    static func named(_ name: String) -> Self
}

extension NamedSource {
    /// The source that was named.
    package init(_ argument: SourceArgument) {
        self =
            switch argument {
            case .test: .test
            case .none: .none
            case .file(let path): .file(path)
            case .named(let name): .named(name)
            }
    }
}

extension CameraSource: NamedSource {}

extension MicrophoneSource: NamedSource {}

extension ScreenSource {
    /// The source that was named; nil for a name, as screens have none, and for none.
    package init?(_ argument: SourceArgument) {
        switch argument {
        case .test: self = .test
        case .file(let path): self = .file(path)
        case .none, .named: return nil
        }
    }
}
