import Portal

/// What a notification server says of itself (`GetServerInformation`, `GetCapabilities`).
package struct NotificationFeatures: Sendable, Equatable {
    /// The program's name and version, for the log.
    package var program: String
    /// What it can do.
    package var capabilities: Set<String>

    /// A server.
    package init(program: String = "", capabilities: Set<String> = []) {
        self.program = program
        self.capabilities = capabilities
    }

    /// Whether it tells of buttons that were pressed. Some have the word and show no buttons.
    var hasActions: Bool { capabilities.contains("actions") }
    /// Whether a person sees buttons. dunst and mako have them in a menu only, though they say that they have "actions".
    var showsButtons: Bool { hasActions && !["dunst", "mako"].contains(name) }
    /// Whether what was not seen stays where it can be found.
    var keepsNotifications: Bool { capabilities.contains("persistence") }
    /// Whether it shows more than one line.
    var hasBody: Bool { capabilities.contains("body") }
    /// Whether it reads markup in what is below the first line.
    var hasMarkup: Bool { capabilities.contains("body-markup") }

    /// The first word of what it calls itself.
    private var name: String { program.prefix { $0 != " " }.lowercased() }
}

extension NotificationFeatures {
    /// Reads both answers; what can't be understood is left out.
    init(information: [BusValue], capabilities: [BusValue]) {
        let texts = information.prefix(3).map { $0.string ?? "" }
        program = [texts.first, texts.count > 2 ? texts[2] : nil].compactMap { $0 }.joined(separator: " ")
        self.capabilities = Set((capabilities.first?.members ?? []).compactMap(\.string))
    }
}
