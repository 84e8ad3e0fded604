import Calling
import Foundation
import Signaling

/// The contacts of an account and how they are kept: one JSON document in the agent's sealed store.
struct ContactBook: Sendable, Equatable {
    struct Record: Sendable, Codable, Equatable {
        /// The agent's connection, which also names the contact.
        var connection: String
        /// The name the person here knows them by, which differs from all others and changes only by the wish of the person
        /// here; nil until their profile came. Set by `introduce` and `takeName`.
        fileprivate(set) var name: String?
        /// What they call themselves since; nil while it is what they called themselves when the name was set.
        fileprivate(set) var offeredName: String?
        /// What they call themselves now, and what they did when the name was set; nil in books of an earlier Parley.
        fileprivate var announced: String?
        fileprivate var basis: String?
        /// Whether the person here has given the name; nil is no.
        fileprivate(set) var isNamedHere: Bool?
        /// What they say about themselves.
        var shortDescription: String?
        /// Whether a picture of theirs is kept; nil is no.
        var hasPicture: Bool?
        /// The security code that was compared; nil when none was.
        var comparedCode: String?
        /// What the person here has put on them; nil is nothing.
        var labels: [ContactLabel]?
        /// What of the own profile they have been told, as ``ProfileMark``; nil in books of an earlier Parley.
        var toldProfile: String?
        /// Whether they are out of sight and will be deleted; nil is no.
        var isLeaving: Bool?
        var isConnected = false
        var isTestCall = false
        /// The person's preference for calls: `always`, `yes` or `no`.
        var calls = FeaturePreference.yes.rawValue
        /// The link made for them, until it has been opened.
        var invitation: String?
        /// When that was, in seconds since 1970; nil in books of an earlier Parley.
        var invitedAt: Int64?
        /// Whether the person has removed this side; nil is no.
        var isGone: Bool?
        /// Whether the own mailbox for them has gone from its relay; nil is no.
        var hasNoMailbox: Bool?
        /// Whether the person here wants to hear of no call of theirs; nil is no.
        var isBlocked: Bool?
        /// Whether calls with them stay out of the log; nil is no.
        var keepsNoCalls: Bool?
        /// Why connecting failed for good, as an earlier Parley kept it: in words.
        fileprivate var failure: String?
        /// Why connecting failed for good.
        fileprivate var cause: ConnectionFault.Kept?
        /// The link that was opened here, until it has led to a contact.
        var link: String?
        /// What they and the person here recognise each other by in calls of several, in two parts: the one made here for them, once they
        /// were told it, and theirs.
        fileprivate var ownSeed: String?
        fileprivate var seed: String?
        /// What their program understands beyond the protocol, and what of this one they have been told.
        fileprivate var can: PeerAbilities.RawValue?
        fileprivate var told: PeerAbilities.RawValue?

        /// What the person's program understands beyond the protocol.
        var abilities: PeerAbilities {
            get { PeerAbilities(rawValue: can ?? 0) }
            set { can = newValue.isEmpty ? nil : newValue.rawValue }
        }

        /// What they have been told that this program understands.
        var toldAbilities: PeerAbilities {
            get { PeerAbilities(rawValue: told ?? 0) }
            set { told = newValue.isEmpty ? nil : newValue.rawValue }
        }

        /// The part made here for them; nil until they were told one.
        var ownRecognitionSeed: RecognitionSeed? {
            get { ownSeed.flatMap(RecognitionSeed.init(text:)) }
            set { ownSeed = newValue?.text }
        }

        /// Their part; nil until they have told it.
        var recognitionSeed: RecognitionSeed? {
            get { seed.flatMap(RecognitionSeed.init(text:)) }
            set { seed = newValue?.text }
        }

        var trouble: Contact.Trouble? {
            if isGone == true { return .gone }
            if hasNoMailbox == true { return .cutOff }
            return fault.map { .failed($0, canRetry: link != nil) }
        }

        /// Why connecting failed for good.
        var fault: ConnectionFault? { cause?.fault ?? failure.map(ConnectionFault.kept) }

        /// Connecting has failed for good.
        mutating func fail(_ fault: ConnectionFault) { cause = ConnectionFault.Kept(fault: fault) }
    }

    private(set) var records: [Record] = []
    /// What is kept elsewhere, by connection: pictures, and the last calls of the log.
    private var pictures: [String: ProfilePicture] = [:]
    private var lastCalls: [String: Contact.LastCall] = [:]

    init() {}

    /// Reads what `encoded()` wrote.
    init(decoding bytes: [UInt8]) throws(AccountError) {
        do {
            records = try JSONDecoder().decode([Record].self, from: Data(bytes))
        } catch {
            throw .store(.contactsDamaged)
        }
        settleNames()
    }

    func encoded() throws(AccountError) -> [UInt8] {
        do {
            return [UInt8](try JSONEncoder().encode(records))
        } catch {
            throw .store(.contactsNotKept)
        }
    }

    subscript(id: ContactID) -> Record? { records.first { $0.connection == id.rawValue } }

    /// Adds a contact, or changes the one there is.
    mutating func update(_ id: ContactID, _ change: (inout Record) -> Void) {
        let index =
            records.firstIndex { $0.connection == id.rawValue }
            ?? {
                records.append(Record(connection: id.rawValue))
                return records.count - 1
            }()
        change(&records[index])
    }

    /// Takes what a contact calls themselves: the first time as their name, later as an offer.
    ///
    /// - Returns: the name offered, if that is news of a contact that had none on offer.
    @discardableResult
    mutating func introduce(_ id: ContactID, as text: String) -> String? {
        update(id) { _ in }
        guard let index = index(of: id), let announced = DisplayName.cleaned(text) else { return nil }
        defer { records[index].announced = announced }
        guard let name = records[index].name else {
            setName(announced, at: index)
            return nil
        }
        if records[index].isNamedHere == true, records[index].announced == nil { records[index].basis = announced }
        let hadOffer = records[index].offeredName != nil
        let isSame = announced == records[index].basis || Self.base(of: name, announcedAs: announced)
        records[index].offeredName = isSame ? nil : announced
        return isSame || hadOffer ? nil : announced
    }

    /// Knows a contact by what they call themselves now.
    mutating func takeName(of id: ContactID) {
        guard let index = index(of: id), let offered = records[index].offeredName else { return }
        setName(offered, at: index)
    }

    /// Knows a contact by a name that the person here gives; nil: by what they call themselves.
    /// - Throws: `AccountError.nameUnusable`, `.nameTaken`.
    mutating func rename(_ id: ContactID, to text: String?) throws(AccountError) {
        guard let index = index(of: id), !records[index].isTestCall else { return }
        if records[index].announced == nil, records[index].isNamedHere != true {
            records[index].announced = records[index].offeredName ?? records[index].name
        }
        guard let text else {
            records[index].isNamedHere = nil
            guard let announced = records[index].announced else {
                records[index].name = nil
                return
            }
            return setName(announced, at: index)
        }
        records[index].name = try freeName(text, besides: index)
        records[index].isNamedHere = true
        records[index].basis = records[index].announced
        records[index].offeredName = nil
    }

    /// A name that the person here gives, as it is kept.
    /// - Throws: `AccountError.nameUnusable`, `.nameTaken` when a contact other than the one at `index` has it.
    func freeName(_ text: String, besides index: Int? = nil) throws(AccountError) -> String {
        guard let name = DisplayName.cleaned(text) else { throw .nameUnusable }
        guard !DisplayName.keys(of: name).contains(where: takenKeys(besides: index).contains) else {
            throw .nameTaken(name)
        }
        return name
    }

    /// Names the endpoint inside the program.
    mutating func markTestCall(_ id: ContactID, name: String) {
        update(id) { $0.isTestCall = true }
        if let index = index(of: id) { setName(name, at: index) }
    }

    private func index(of id: ContactID) -> Int? { records.firstIndex { $0.connection == id.rawValue } }

    private mutating func setName(_ announced: String, at index: Int) {
        records[index].name = DisplayName.distinct(announced, isTaken: takenKeys(besides: index).contains)
        records[index].offeredName = nil
        records[index].isNamedHere = nil
        records[index].basis = announced
    }

    private func takenKeys(besides index: Int?) -> Set<String> {
        let others = records.indices.filter { $0 != index }.compactMap { records[$0].name }
        // Nobody but the test call itself is the test call.
        let reserved = index.map { records[$0].isTestCall } ?? false ? [] : ReservedNames.all
        return Set((others + reserved).flatMap(DisplayName.keys))
    }

    /// Whether a name here is an announced one, or that with a number that tells it from others.
    private static func base(of name: String, announcedAs announced: String) -> Bool {
        guard name != announced else { return true }
        guard name.hasPrefix(announced + " ("), name.hasSuffix(")") else { return false }
        return Int(name.dropFirst(announced.count + 2).dropLast()).map { $0 > 1 } ?? false
    }

    /// Names of a book that was written before names were cleaned and kept apart.
    private mutating func settleNames() {
        var taken: Set<String> = []
        for index in records.indices {
            guard let name = records[index].name else { continue }
            let cleaned = DisplayName.cleaned(name) ?? Self.placeholder
            records[index].name = DisplayName.distinct(cleaned, isTaken: taken.contains)
            if let settled = records[index].name { taken.formUnion(DisplayName.keys(of: settled)) }
            records[index].offeredName = records[index].offeredName.flatMap(DisplayName.cleaned)
            records[index].announced = records[index].announced.flatMap(DisplayName.cleaned)
        }
    }

    private static let placeholder = Contact.placeholderName

    mutating func remove(_ id: ContactID) {
        records.removeAll { $0.connection == id.rawValue }
        pictures[id.rawValue] = nil
        lastCalls[id.rawValue] = nil
    }

    // MARK: What is kept elsewhere

    func picture(of id: ContactID) -> ProfilePicture? { pictures[id.rawValue] }

    /// Only for a contact there is.
    mutating func setPicture(_ picture: ProfilePicture?, of id: ContactID) {
        guard let index = index(of: id) else { return }
        pictures[id.rawValue] = picture
        records[index].hasPicture = picture == nil ? nil : true
    }

    func lastCall(with id: ContactID) -> Contact.LastCall? { lastCalls[id.rawValue] }

    mutating func setLastCall(_ call: Contact.LastCall?, with id: ContactID) {
        if index(of: id) != nil { lastCalls[id.rawValue] = call }
    }

    /// Those who are in sight, in the order in which they were made, each with a name that no other has; those whose name is not known
    /// yet have a placeholder.
    var contacts: [Contact] {
        var taken = Set(records.compactMap(\.name).flatMap(DisplayName.keys))
        return records.filter { $0.isLeaving != true }.map { record in
            let name = record.name ?? DisplayName.distinct(Self.placeholder, isTaken: taken.contains)
            taken.formUnion(DisplayName.keys(of: name))
            var contact = Contact(
                id: ContactID(rawValue: record.connection), name: name, offeredName: record.offeredName,
                isTestCall: record.isTestCall, isConnected: record.isConnected,
                allowsCalls: record.calls != FeaturePreference.no.rawValue, isBlocked: record.isBlocked == true,
                trouble: record.trouble, invitation: record.isTestCall ? nil : record.invitation,
                keepsCalls: record.keepsNoCalls != true)
            contact.isNamedHere = record.isNamedHere == true
            contact.isUnnamed = record.name == nil
            contact.takesGroupCalls = record.abilities.contains(.groups)
            contact.invitedAt = record.invitedAt.map { Date(timeIntervalSince1970: TimeInterval($0)) }
            contact.ownName = record.announced ?? record.offeredName ?? (contact.isNamedHere ? nil : record.name)
            contact.shortDescription = record.shortDescription
            contact.picture = pictures[record.connection]
            contact.isCompared = record.comparedCode != nil
            contact.labels = record.labels ?? []
            contact.lastCall = lastCalls[record.connection]
            return contact
        }
    }
}
