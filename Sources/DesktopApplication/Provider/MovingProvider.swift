/// A profile as a file, to take it to another machine.
@MainActor package protocol MovingProvider: AnyObject {
    /// Closes the account and carries the profile into a file; it opens no more then, which an update tells. Otherwise it is opened
    /// again. `tell` gets how much is done, from 0 to 1. Ends early when the task is cancelled.
    func moveProfile(
        to path: String, passphrase: String, tell: @escaping @MainActor (Double) -> Void) async throws
    /// Makes the profile of such a file, where there is none that can be opened; the file is removed. The next start opens it.
    func bringProfile(
        from path: String, passphrase: String, tell: @escaping @MainActor (Double) -> Void) async throws
}
