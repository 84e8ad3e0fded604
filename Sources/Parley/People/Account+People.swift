import Agent
import Calling
import Signaling

// What is known and kept of contacts.
extension Account {
    /// Knows a contact by a name of one's own; nil goes back to what they call themselves. The test call keeps its name.
    /// - Throws: `AccountError.nameUnusable`; `.nameTaken` when another contact has it, or one that looks like it.
    public func rename(_ id: ContactID, to name: String?) async throws(AccountError) {
        guard book[id] != nil else { throw .connection(.agent(.unknownConnection)) }
        var renamed = book
        try renamed.rename(id, to: name)
        // Nothing was waited for: it is still the same book.
        await changeBook(of: id) { $0 = renamed }
    }

    /// What the person here has written down about a contact; empty when that is nothing.
    /// - Throws: `AccountError.store`, `.closed`.
    public func note(on id: ContactID) async throws(AccountError) -> String {
        let bytes = try await inAgent { try await agent.applicationData(Self.noteName(of: id)) }
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Writes something down about a contact, on disk before this returns, in place of what was there. It never leaves this machine.
    /// - Throws: `AccountError.textTooLong` beyond 4,000 characters, `.store`, `.closed`.
    public func setNote(_ text: String, on id: ContactID) async throws(AccountError) {
        guard text.count <= PeopleState.longestNote else { throw .textTooLong(PeopleState.longestNote) }
        guard book[id] != nil else { throw .connection(.agent(.unknownConnection)) }
        let bytes = text.isEmpty ? nil : Array(text.utf8)
        try await inAgent { try await agent.setApplicationData(Self.noteName(of: id), to: bytes) }
    }

    /// Remembers that both people have compared this security code, or, with nil, that they have not. It is forgotten, and told
    /// (`AccountNotice.codeChanged`), when another code holds.
    /// - Throws: `AccountError.codeChanged` when another one holds already.
    public func setCompared(_ code: String?, of id: ContactID) async throws(AccountError) {
        if let code, code != (try await securityCode(of: id)) { throw .codeChanged }
        await change(id) { $0.comparedCode = code }
    }

    /// Forgets that a code was compared if it holds no longer.
    func checkComparedCode(of id: ContactID) async {
        guard let compared = book[id]?.comparedCode, let code = try? await securityCode(of: id), code != compared,
            book[id]?.comparedCode == compared
        else { return }
        await change(id) { $0.comparedCode = nil }
        listeners.send(.notice(.codeChanged(name(of: id))))
    }

    func checkComparedCodes() async {
        for record in book.records { await checkComparedCode(of: ContactID(rawValue: record.connection)) }
    }

    // MARK: Labels

    /// Puts these labels on a contact, in place of those that are there.
    /// - Throws: `AccountError.tooManyLabels`.
    public func setLabels(_ labels: [ContactLabel], of id: ContactID) async throws(AccountError) {
        let labels = ContactLabel.distinct(labels)
        guard labels.count <= ContactLabel.maximumCount else { throw .tooManyLabels(ContactLabel.maximumCount) }
        guard book[id] != nil else { throw .connection(.agent(.unknownConnection)) }
        await change(id) { $0.labels = labels.isEmpty ? nil : labels }
    }

    // MARK: Their profiles

    /// Keeps what somebody shows of themselves.
    /// - Returns: The name they offer in place of the one they are known by, if that is news.
    @discardableResult
    func keep(_ profile: Profile, of id: ContactID) async -> String? {
        var picture: ProfilePicture?
        if let image = profile.image {
            do throws(PictureError) {
                picture = try ProfilePicture(parsing: image)
            } catch {
                people.countRefusedPicture()
                logger.notice("A contact's picture was not taken: \(error)")
            }
        }
        await keepPicture(picture, of: id)
        // Before, their program may have been one that reads no seeds: they are told the own one again.
        let isFirstSeed =
            profile.recognitionSeed != nil && book[id]?.isConnected == true && book[id]?.recognitionSeed == nil
        var offered: String?
        await changeBook(of: id) { book in
            offered = book.introduce(id, as: profile.displayName)
            book.setPicture(picture, of: id)
            book.update(id) {
                $0.shortDescription = profile.shortDescription.flatMap(OwnProfile.cleanedDescription)
                $0.calls = profile.calls.rawValue
                $0.abilities = profile.abilities
                if let seed = profile.recognitionSeed { $0.recognitionSeed = seed }
                if isFirstSeed { $0.toldProfile = ProfileMark.none }
                $0.invitation = nil
            }
        }
        await center.setAbilities(profile.abilities, for: id)
        if isFirstSeed { await tellProfile(to: id) }
        return offered
    }

    // MARK: The store

    private static func noteName(of id: ContactID) -> String { "note:" + id.rawValue }
    private static func pictureName(of id: ContactID) -> String { "picture:" + id.rawValue }

    /// Pictures are not in the book, which is written as a whole.
    private func keepPicture(_ picture: ProfilePicture?, of id: ContactID) async {
        guard !removed.contains(id), picture != book.picture(of: id) else { return }
        do {
            try await agent.setApplicationData(Self.pictureName(of: id), to: picture?.bytes)
        } catch {
            logger.error("A contact's picture could not be kept: \(error)")
        }
    }

    /// Nothing is kept of somebody who was removed.
    func forgetPage(of id: ContactID) async {
        for name in [Self.noteName(of: id), Self.pictureName(of: id)] {
            try? await agent.setApplicationData(name, to: nil)
        }
    }

    /// Reads the pictures, which are kept beside the book; one that can't be read is as if it were not there.
    func loadPictures() async {
        for record in book.records where record.hasPicture == true {
            let id = ContactID(rawValue: record.connection)
            guard let bytes = try? await agent.applicationData(Self.pictureName(of: id)) else { continue }
            book.setPicture(try? ProfilePicture(decoding: bytes), of: id)
        }
    }
}
