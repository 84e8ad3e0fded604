/// What a desktop says of "do not disturb", and which of its services is believed.
///
/// Pure. Who shows the notifications says what silences them: a setting of GNOME's that was left behind means nothing under dunst.
struct QuietDesktop: Equatable, Sendable {
    /// Where "do not disturb" can be asked for.
    enum Source: CaseIterable, Sendable {
        /// dunst's property `paused`.
        case dunst
        /// GNOME's setting `show-banners`.
        case gnome
        /// Xfce's setting `/do-not-disturb`.
        case xfce
        /// The server's property `Inhibited`, which KDE has given to the specification.
        case inhibited

        /// The one to believe under a notification server with this name (`GetServerInformation`).
        init(server: String) {
            switch server {
            case "dunst": self = .dunst
            case "gnome-shell": self = .gnome
            case "Xfce Notify Daemon": self = .xfce
            default: self = .inhibited
            }
        }
    }

    /// Something that was asked has been answered.
    enum Finding: Equatable, Sendable {
        /// The notification server's name, empty when it does not say it; nil when there is none.
        case server(String?)
        /// Whether a source says "do not disturb"; nil for one that is not there, hangs or answers nonsense.
        case answer(Source, Bool?)
    }

    private enum Believed: Equatable, Sendable {
        case nobody
        case source(Source)
    }

    private var believed: Believed?
    private var answers: [Source: Bool] = [:]

    /// Takes note of an answer.
    mutating func learn(_ finding: Finding) {
        switch finding {
        case .server(let name): believed = name.map { .source(Source(server: $0)) } ?? .nobody
        case .answer(let source, let isQuiet): answers[source] = isQuiet ?? false
        }
    }

    /// Whether it is not to be disturbed; nil as long as too little is known.
    var isQuiet: Bool? {
        switch believed {
        case nil: nil
        case .nobody: false
        case .source(let source): answers[source]
        }
    }
}
