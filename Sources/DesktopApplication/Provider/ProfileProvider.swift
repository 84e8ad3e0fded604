import Parley

/// How the person shows themselves to contacts.
@MainActor package protocol ProfileProvider: AnyObject {
    /// What contacts see now.
    func ownProfile() async throws -> OwnProfile
    /// Shows oneself so from now on; contacts are told.
    func setOwnProfile(_ profile: OwnProfile) async throws
}
