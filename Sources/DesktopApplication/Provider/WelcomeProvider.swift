import Parley

/// A profile that is made once the person has said so.
@MainActor package protocol WelcomeProvider: AnyObject {
    /// Whether there is no profile yet, so that nothing is to be started before the person begins one.
    var isNew: Bool { get }
    /// Has the next start make the profile; nil for a person who gives no name.
    func begin(as person: OwnProfile?)
}
