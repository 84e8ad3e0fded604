import MediaRules
import Wording

/// What the command line asks for.
struct Options: Equatable, Sendable {
    /// The folder of the profile; nil for the one in the person's data folder.
    var profile: String?
    /// A relay somewhere else; nil for the one inside the program.
    var relay: String?
    /// The name contacts see; nil for the remembered one.
    var name: String?
    /// The camera to use; nil for the machine's own.
    var camera: SourceArgument?
    /// The microphone to use; nil for the machine's own.
    var microphone: SourceArgument?
    /// What is shown when the screen is shared; nil for what the person chooses.
    var screen: ScreenSource?
    /// A file whose first line is the profile's passphrase; nil to ask for it where one is needed.
    var passphraseFile: String?
    /// Whether the key of a new profile goes into a file by choice.
    var keepsKeyInFile = false
    /// Whether a new profile is made without asking the person anything.
    var beginsUnasked = false
    /// Print the usage and stop.
    var showsHelp = false
    /// Print the version and stop.
    var showsVersion = false
    /// Wait without a window for calls and for what the desktop asks.
    var isService = false
    /// Have the desktop start the service, or be it where the desktop does not know how.
    var isInBackground = false

    /// Links to open, once the person agrees.
    var links: [String] = []

    /// Whether it says how the account is to be opened.
    var hasSettings: Bool {
        var bare = Options()
        (bare.isService, bare.isInBackground, bare.links) = (isService, isInBackground, links)
        bare.beginsUnasked = beginsUnasked
        return self != bare
    }

    /// A command line that can't be followed.
    struct Mistake: Error, Equatable, CustomStringConvertible {
        /// One sentence that says what is wrong.
        let description: String
    }

    /// How to use the program.
    static let usage = """
        Usage: parley [OPTIONS] [LINK…]

          LINK                 open somebody's link, simplex:… or https://…, after a question; in the Parley that runs, if one does
          --profile DIR        keep contacts and keys in DIR instead of the user's data folder
          --name NAME          the name that contacts see
          --relay URL          from now on use the relay smp://FINGERPRINT@HOST:PORT, not the one inside the program
          --passphrase-file F  the profile's passphrase is the first line of F; a new profile is kept under it
          --key-file           keep the key of a new profile in a file of the profile, not in the keyring
          --no-welcome         make a new profile at once, without asking anything
          --camera WHICH       a camera's name, test, none, or file:PATH
          --microphone WHICH   a microphone's name, test, none, or file:PATH
          --screen WHAT        what is shown when you share your screen, instead of asking: test, or file:PATH
          --background         receive calls without a window, as after a login; it is started by the desktop if that knows how
          --service            receive calls without a window, in this process
          --version            print the version
          --help               print this
        """

    /// Reads the words after the program's name.
    static func parse(_ words: some Sequence<String>) throws(Mistake) -> Options {
        var options = Options()
        var rest = words.makeIterator()
        while let word = rest.next() {
            switch word {
            case "--help", "-h": options.showsHelp = true
            case "--version": options.showsVersion = true
            case "--service": options.isService = true
            case "--background": options.isInBackground = true
            case "--no-welcome": options.beginsUnasked = true
            case "--key-file": options.keepsKeyInFile = true
            case "--profile", "--name", "--relay", "--camera", "--microphone", "--screen", "--passphrase-file":
                guard let value = rest.next(), !value.isEmpty, !value.hasPrefix("--") else {
                    throw Mistake(description: tr("%s needs a value.", word))
                }
                try options.set(word, value)
            case _ where isLink(word): options.links.append(word)
            default:
                throw Mistake(description: tr("%s is not something parley understands.", word))
            }
        }
        if !options.links.isEmpty, options.isService || options.isInBackground {
            throw Mistake(description: tr("Links are opened in a window: leave out --service and --background."))
        }
        return options
    }

    /// Whether a word looks like a link; whether it can be opened is said in the window.
    static func isLink(_ word: String) -> Bool { word.hasPrefix("simplex:") || word.hasPrefix("https://") }

    private mutating func set(_ word: String, _ value: String) throws(Mistake) {
        switch word {
        case "--profile": profile = value
        case "--name": name = value
        case "--relay": relay = value
        case "--camera": camera = try Self.source(word, value)
        case "--microphone": microphone = try Self.source(word, value)
        case "--screen":
            guard let source = ScreenSource(try Self.source(word, value)) else {
                throw Mistake(description: tr("%1$s takes “test” or “file:PATH”, not “%2$s”.", word, value))
            }
            screen = source
        default: passphraseFile = value
        }
    }

    private static func source(_ word: String, _ value: String) throws(Mistake) -> SourceArgument {
        guard let source = SourceArgument(argument: value) else {
            throw Mistake(description: tr("%s needs a path after “file:”.", word))
        }
        return source
    }
}
