/// What the command line asks of pretended calls.
struct FakeOptions: Equatable {
    /// How long each step of a pretended call takes.
    var pause = Duration.milliseconds(600)
    /// Whether pretended people call when the process gets SIGUSR1, not a little later.
    var callsWait = false
    /// Whether calls ring at the machine's real loudspeakers.
    var isHeard = false
    /// Whether the program takes Parley's name on the session bus, as the real one does.
    var hasName = false
    /// Whether the profile needs a passphrase, which is any.
    var isLocked = false
    /// Whether the keyring is locked; its question is dismissed once.
    var hasLockedKeyring = false
    /// Whether there is no network before the process gets SIGUSR1.
    var hasNoNetwork = false
    /// Whether there is no profile yet.
    var isNew = false
    /// How many calls the pretended log has.
    var callCount = 0
    /// What is for the windows.
    var rest: [String] = []

    /// A number that is none.
    struct NoPause: Error, CustomStringConvertible {
        let description = "--pause needs a number of milliseconds, and --log one of calls."
    }

    /// Reads the words after the program's name.
    init(_ words: some Sequence<String>) throws(NoPause) {
        var words = words.makeIterator()
        while let word = words.next() {
            switch word {
            case "--calls-wait": callsWait = true
            case "--sounds": isHeard = true
            case "--named": hasName = true
            case "--new": isNew = true
            case "--locked": isLocked = true
            case "--keyring-locked": hasLockedKeyring = true
            case "--no-network": hasNoNetwork = true
            case "--pause":
                guard let pause = words.next().flatMap(Int.init), pause >= 0 else { throw NoPause() }
                self.pause = .milliseconds(pause)
            case "--log":
                guard let count = words.next().flatMap(Int.init), count >= 0 else { throw NoPause() }
                callCount = count
            default: rest.append(word)
            }
        }
    }
}
