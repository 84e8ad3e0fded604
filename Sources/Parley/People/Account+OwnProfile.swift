import Agent
import Calling
import Signaling

// How the person here shows themselves, and who has been told.
extension Account {
    /// How contacts see the person here.
    public var ownProfile: OwnProfile { OwnProfile(profile) }

    /// Shows oneself so from now on: to every contact that is connected, once, at the next start if they can't be reached before, and in
    /// every request and answer. Who is blocked is told when they are not any more. What changes nothing is sent to nobody.
    /// - Throws: `AccountError.nameUnusable`, `.textTooLong`, `.folder`, `.store`; then nothing has changed.
    public func setProfile(_ own: OwnProfile) async throws(AccountError) {
        var own = own
        guard let name = DisplayName.cleaned(own.displayName) else { throw .nameUnusable }
        guard own.shortDescription?.count ?? 0 <= OwnProfile.longestDescription else {
            throw .textTooLong(OwnProfile.longestDescription)
        }
        own.displayName = name
        own.shortDescription = own.shortDescription.flatMap(OwnProfile.cleanedDescription)
        var changed = profile
        changed.set(own)
        guard changed != profile else { return }
        let kept = try own.encoded()
        try await inAgent { try await agent.setApplicationData(OwnProfile.storeName, to: kept) }
        var settings = try settings()
        if name != settings.displayName { try settings.remember(displayName: name) }
        profile.set(own)
        await tellProfile()
    }

    /// The profile as a contact is sent it, or somebody who is to become one: with what these two recognise each other by, where the person
    /// takes part in calls of several.
    func introduction(to id: ContactID?) -> Profile {
        var told = profile
        if profile.abilities.contains(.groups) {
            told.recognitionSeed = id.flatMap { book[$0]?.ownRecognitionSeed } ?? .random()
        }
        return told
    }

    /// Sends the profile to everybody who does not have it.
    func tellProfile() async {
        for record in book.records { await tellProfile(to: ContactID(rawValue: record.connection)) }
    }

    /// Sends a contact the profile and what this program understands beyond the protocol, unless they have it. What other programs read
    /// is a profile that they know, so that they see nothing new. After a crash in between it may be sent twice, which changes nothing.
    func tellProfile(to id: ContactID) async {
        guard people.telling.insert(id).inserted else { return }
        defer { people.telling.remove(id) }
        // Again, should it change meanwhile.
        while let record = book[id], record.hearsProfile, !record.knows(profile) {
            let profile = introduction(to: id)
            do {
                let message = try ChatMessage.identified(.information(profile)).encoded()
                let number = try await agent.send(message, on: ConnectionID(rawValue: id.rawValue), notify: false)
                people.noteProfile(number, id)
            } catch {
                // Told at the next start, or when the store works again.
                return logger.notice("A contact was not sent the profile: \(error)")
            }
            await change(id) { $0.noteTold(profile) }
        }
    }

    /// A message was given up. If it took the profile to a contact, they are sent it again at the next start.
    func noteProfileLost(_ number: Int64, _ id: ContactID) async {
        guard people.settleProfile(number, id) else { return }
        await change(id) { $0.toldProfile = ProfileMark.none }
    }
}

extension ContactBook.Record {
    /// Whether changes of the own profile are theirs to know.
    fileprivate var hearsProfile: Bool { isConnected && isBlocked != true && isLeaving != true }
}
