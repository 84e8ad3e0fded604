import BaseKit
import Calling
import LocalNetwork
import SMPTransport

/// Somebody in this network who looks for people nearby, too.
public struct PersonNearby: Sendable, Hashable, Identifiable {
    /// Another one each time they look.
    public let id: String
    /// What they call themselves. Anybody can call themselves anything; the code tells who it is.
    public let name: String
}

/// What happens while the person looks for people nearby.
public enum SurroundingsUpdate: Sendable {
    /// Who is there now.
    case people([PersonNearby])
    /// Somebody wants to become a contact.
    case meeting(NearbyMeeting)
}

/// What happens with somebody nearby.
public enum NearbyMeetingUpdate: Sendable {
    /// Both people see this code, if nobody sits in between; then ``NearbyMeeting/confirm()`` or ``NearbyMeeting/refuse()``.
    case compare(code: String, name: String)
    /// Both have said that the codes are equal; the connection is being made.
    case connecting
    /// They are a contact.
    case connected(Contact)
    case failed(NearbyFailure)
}

/// Why somebody nearby did not become a contact.
public enum NearbyFailure: Error, Sendable, Equatable {
    /// The two programs did not come to it.
    case pairing(PairingFailure)
    /// They can't be reached, or nobody can be found here.
    case network(DiscoveryError)
    /// The codes were equal, and the connection was not made.
    case account(AccountError)
}

extension Account {
    /// Looks for people nearby until the surroundings are left: only so long others see the person's name.
    /// - Throws: `AccountError.network`; `.noRelay` while others here reach none of the own relays (``setOpenToNetwork(_:)``).
    public func lookAround() async throws(AccountError) -> Surroundings {
        guard linkReach > .thisMachine else { throw .noRelay }
        do throws(DiscoveryError) {
            let avahi = try await networkRelays.connected()
            return Surroundings(try await Nearby.open(name: displayName, avahi: avahi), account: self)
        } catch {
            throw .network(error)
        }
    }
}

/// The people nearby, for as long as the person looks for them.
public final class Surroundings: Sendable {
    /// What happens, for one reader; ends when they are left.
    public let updates: AsyncStream<SurroundingsUpdate>
    private let nearby: Nearby
    private let account: Account
    private let people = SharedPeople()
    private let reading: Task<Void, Never>

    fileprivate init(_ nearby: Nearby, account: Account) {
        (self.nearby, self.account) = (nearby, account)
        let (updates, tell) = AsyncStream.makeStream(of: SurroundingsUpdate.self)
        self.updates = updates
        reading = Task { [people] in
            for await news in nearby.news {
                switch news {
                case .people(let found):
                    people.set(found)
                    tell.yield(.people(found.map { PersonNearby(id: $0.id, name: shownName($0.name)) }))
                case .meeting(let meeting):
                    tell.yield(.meeting(NearbyMeeting(meeting, account: account)))
                }
            }
            tell.finish()
        }
    }

    /// Begins to meet somebody; both see a code then.
    /// - Throws: `NearbyFailure.network` when they are gone or can't be reached.
    public func meet(_ id: PersonNearby.ID) async throws(NearbyFailure) -> NearbyMeeting {
        guard let person = people[id] else { throw .network(.noService) }
        do throws(DiscoveryError) {
            return NearbyMeeting(try await nearby.meet(person), account: account)
        } catch {
            throw .network(error)
        }
    }

    /// Stops looking: nobody sees the name any more. A meeting that is on goes on.
    public func leave() async { await nearby.close() }

    deinit { Task { [nearby] in await nearby.close() } }
}

/// Those who were found last.
private final class SharedPeople: Sendable {
    private let people = Lock<[String: NearbyPerson]>([:])

    func set(_ found: [NearbyPerson]) {
        people.withLock { $0 = Dictionary(found.map { ($0.id, $0) }) { first, _ in first } }
    }

    subscript(id: String) -> NearbyPerson? { people.withLock { $0[id] } }
}

/// Two people nearby who may become contacts.
public final class NearbyMeeting: Sendable {
    /// What happens, for one reader; ends with the meeting.
    public let updates: AsyncStream<NearbyMeetingUpdate>
    private let meeting: Meeting

    fileprivate init(_ meeting: Meeting, account: Account) {
        self.meeting = meeting
        let (updates, tell) = AsyncStream.makeStream(of: NearbyMeetingUpdate.self)
        self.updates = updates
        Task {
            var contact: Task<Contact, any Error>?
            for await news in meeting.news {
                do {
                    switch news {
                    case .compare(let code, let name): tell.yield(.compare(code: code, name: shownName(name)))
                    case .makeLink:
                        tell.yield(.connecting)
                        let invitation = try await account.makeInvitation()
                        contact = Task { try await invitation.connected() }
                        meeting.give(link: invitation.link)
                    case .open(let link):
                        tell.yield(.connecting)
                        let pending = try await account.join(link: link)
                        contact = Task { try await pending.connected() }
                        meeting.opened()
                    case .finished:
                        if let contact { tell.yield(.connected(try await contact.value)) }
                    case .failed(let failure): tell.yield(.failed(.pairing(failure)))
                    }
                } catch {
                    meeting.refuse()
                    let reason = error as? AccountError ?? .closed
                    tell.yield(.failed(.account(reason)))
                    break
                }
            }
            tell.finish()
        }
    }

    /// The person says that both codes are equal.
    public func confirm() { meeting.confirm() }

    /// The person says that they are not, or does not want to go on.
    public func refuse() { meeting.refuse() }
}

/// A name of somebody in the network, without what is no part of a name.
private func shownName(_ name: String) -> String { DisplayName.cleaned(name) ?? "?" }
