import Cryptography
import Logging

/// Somebody in this network who looks for people nearby.
package struct NearbyPerson: Hashable, Identifiable, Sendable {
    /// Another one each time their view is opened.
    package let id: String
    /// What they call themselves; anybody can call themselves anything.
    package let name: String
    let address: String
    let port: UInt16
}

/// What happens while the person looks for people nearby.
package enum NearbyNews: Sendable {
    /// Who is there now.
    case people([NearbyPerson])
    /// Somebody wants to become a contact.
    case meeting(Meeting)
}

/// People nearby: from ``open(name:avahi:)`` until ``close()`` this machine announces a name by DNS-SD and finds others who do. Who is
/// chosen is met over a connection in this network, without any server.
package actor Nearby {
    /// Others who can begin a meeting in the time that it is open: each is one guess at a code.
    private static let mostMeetings = 10
    private static let mostPeople = 64

    package nonisolated let news: AsyncStream<NearbyNews>
    private let tell: AsyncStream<NearbyNews>.Continuation
    private let name: String
    private let own: String
    private let avahi: Avahi
    private let listener: PairingListener
    private let announcement: Announcement
    private var tasks: [Task<Void, Never>] = []
    private var people: [ServiceName: NearbyPerson] = [:]
    private var meetings = 0
    private var present: Meeting?

    private init(
        _ name: String, _ own: String, _ avahi: Avahi, _ listener: PairingListener, _ announcement: Announcement
    ) {
        (self.name, self.own, self.avahi, self.listener) = (name, own, avahi, listener)
        self.announcement = announcement
        (news, tell) = AsyncStream.makeStream()
    }

    /// Begins: others see the name from now on.
    /// - Throws: `DiscoveryError`.
    package static func open(name: String, avahi: Avahi) async throws(DiscoveryError) -> Nearby {
        let own = SecretBytes.random(8).bytes.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
        let listener = try await PairingListener.start()
        do throws(DiscoveryError) {
            // Its name in the network says nothing; that of the person can change and be somebody else's, too.
            let announcement = try await avahi.announce(
                "Parley \(own)", kind: .person, port: listener.port, text: ServiceText(["id": own, "name": name]))
            let services = try await avahi.browse(.person)
            let nearby = Nearby(name, own, avahi, listener, announcement)
            await nearby.start(services)
            return nearby
        } catch {
            await listener.stop()
            throw error
        }
    }

    /// Nobody sees the name any more, and nobody can begin to meet; a meeting that is on goes on.
    package func close() async {
        for task in tasks { task.cancel() }
        tasks = []
        tell.finish()
        await listener.stop()
        await announcement.end()
    }

    /// Begins to meet somebody.
    /// - Throws: `DiscoveryError` when they can't be reached.
    package func meet(_ person: NearbyPerson) async throws(DiscoveryError) -> Meeting {
        let connection = try await PairingConnection.connect(to: person.address, port: person.port)
        let meeting = Meeting(PairingMachine(.beginning, name: name), connection)
        present = meeting
        return meeting
    }

    private func start(_ services: AsyncStream<ServiceNews>) {
        tasks.append(
            Task { [weak self] in
                for await news in services { await self?.handle(news) }
            })
        tasks.append(
            Task { [weak self, connections = listener.connections] in
                for await connection in connections { await self?.admit(connection) }
            })
    }

    private func handle(_ news: ServiceNews) async {
        switch news {
        case .found(let service):
            guard people.count < Self.mostPeople, people[service] == nil,
                let place = try? await avahi.resolve(service), let id = place.text["id"], id != own
            else { return }
            let called = String((place.text["name"] ?? "").prefix(64))
            people[service] = NearbyPerson(id: id, name: called, address: place.address, port: place.port)
        case .lost(let service): people[service] = nil
        case .upToDate: break
        }
        tellPeople()
    }

    /// One person may be found several times, by each interface and protocol.
    private func tellPeople() {
        var shown: [String: NearbyPerson] = [:]
        for person in people.values.sorted(by: { $0.address < $1.address }) where shown[person.id] == nil {
            shown[person.id] = person
        }
        tell.yield(.people(shown.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }))
    }

    private func admit(_ connection: PairingConnection) {
        meetings += 1
        guard meetings <= Self.mostMeetings, present?.isOver ?? true else { return connection.close() }
        let meeting = Meeting(PairingMachine(.asked, name: name), connection)
        present = meeting
        tell.yield(.meeting(meeting))
    }
}
