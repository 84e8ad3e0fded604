import Portal

/// What a notification server says of itself (`GetServerInformation`, `GetCapabilities`).
public struct NotificationFeatures: Sendable, Equatable {
    /// The program's name and version, for the log.
    public var program: String
    /// What it can do.
    public var capabilities: Set<String>

    /// A server.
    public init(program: String = "", capabilities: Set<String> = []) {
        self.program = program
        self.capabilities = capabilities
    }

    /// Whether it tells of buttons that were pressed. Some have the word and show no buttons.
    public var hasActions: Bool { capabilities.contains("actions") }
    /// Whether it shows more than one line.
    public var hasBody: Bool { capabilities.contains("body") }
    /// Whether it reads markup in what is below the first line.
    public var hasMarkup: Bool { capabilities.contains("body-markup") }
}

extension NotificationFeatures {
    /// Reads both answers; what can't be understood is left out.
    init(information: [BusValue], capabilities: [BusValue]) {
        let texts = information.prefix(3).map { $0.string ?? "" }
        program = [texts.first, texts.count > 2 ? texts[2] : nil].compactMap { $0 }.joined(separator: " ")
        self.capabilities = Set((capabilities.first?.members ?? []).compactMap(\.string))
    }
}
