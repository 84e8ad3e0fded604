/// What the command line asks for.
struct Options: Equatable, Sendable {
    /// The folder of the profile; nil for the one in the person's data folder.
    var profile: String?
    /// Pretended calls instead of an account, for work on the windows.
    var isFake = false
    /// Print the usage and stop.
    var showsHelp = false
    /// Print the version and stop.
    var showsVersion = false
    /// Wait for the desktop to ask, as D-Bus activation does.
    var isService = false

    /// A command line that can't be followed.
    struct Mistake: Error, Equatable, CustomStringConvertible {
        /// One sentence that says what is wrong.
        let description: String
    }

    /// How to use the program. Pretended calls are for developers and not named here.
    static let usage = """
        Usage: parley [--profile DIR]

          --profile DIR   keep contacts and keys in DIR instead of the user's data folder
          --version       print the version
          --help          print this
        """

    /// Reads the words after the program's name.
    static func parse(_ words: some Sequence<String>) throws(Mistake) -> Options {
        var options = Options()
        var rest = words.makeIterator()
        while let word = rest.next() {
            switch word {
            case "--help", "-h": options.showsHelp = true
            case "--version": options.showsVersion = true
            case "--gapplication-service": options.isService = true
            case "--fake-calls": options.isFake = true
            case "--profile":
                guard let folder = rest.next(), !folder.isEmpty, !folder.hasPrefix("--") else {
                    throw Mistake(description: "--profile needs a folder.")
                }
                options.profile = folder
            default:
                throw Mistake(description: "\(word) is not something parley understands.")
            }
        }
        return options
    }
}
