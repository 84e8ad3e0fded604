import GLibKit

/// The same test call that the window's button makes, for machines without a display.
@MainActor enum HeadlessTestCall {
    /// Makes the call and prints how it went; gives the exit status.
    static func run() async -> Int32 {
        // Filled in where the account is wired in.
        print(tr("This build has no account, so there is no test call to make."))
        return 1
    }
}
