import Calling
import Parley

/// Which of several profiles something is of.
package struct ProfileLabel: Equatable, Sendable {
    /// The profile's number.
    package var id: Int
    /// What it is called, to tell it from the others; nil while no other one is open.
    package var name: String?

    /// The profile of this number and name.
    package init(id: Int, name: String?) { (self.id, self.name) = (id, name) }
}

/// What profiles that are open at once share: the person's attention, and their devices.
@MainActor package protocol ProfileSharing: AnyObject {
    /// Which profile it is.
    var profileLabel: ProfileLabel? { get set }
    /// Has a call of another profile make room before one of this profile takes its place; says whether it did. Nil while no other
    /// profile is open.
    var makeRoom: (@MainActor (MakingRoom?) async -> Bool)? { get set }
    /// Is told that the person has chosen another device or ring, so that other profiles use it, too.
    var onDevices: (@MainActor () -> Void)? { get set }
    /// Says what the person does in calls of other profiles.
    func setCallsElsewhere(_ calls: CallsElsewhere) async
}

/// The profiles of a program, as they are kept.
@MainActor package protocol ProfileSource: AnyObject {
    /// The numbers that no new profile can have.
    var taken: Set<Int> { get }
    /// Those that are known, and what the person is to know of how they were read.
    func read() -> (shelf: ProfileShelf, loss: String?)
    /// Remembers them.
    func write(_ shelf: ProfileShelf) throws
    /// Prepares the account of a profile; nothing is opened yet. The first that is prepared is as the command line says.
    func makeProvider(of id: Int) -> any CallProvider
    /// Removes all there is of a profile, which is closed.
    func wipe(_ id: Int) async throws
}
