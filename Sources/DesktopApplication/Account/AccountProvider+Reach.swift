import Parley
import Wording

// From where others reach the account, and who is nearby.
extension AccountProvider {
    func reach() async -> ReachItem? {
        guard let account = try? opened() else { return nil }
        let extent: ReachItem.Extent =
            switch await account.linkReach {
            case .thisMachine: .thisMachine
            case .thisNetwork: .thisNetwork
            case .everywhere: .everywhere
            }
        let openness = await account.networkOpenness
        let port = await account.portOpenness.map {
            PortItem(sentence: $0.sentence, isClosed: $0.isSettled && !$0.isUsable)
        }
        return ReachItem(
            extent: extent, isOpenToNetwork: openness != .closed, network: openness.sentence, port: port,
            asksRelays: account.callServers.asksRelays)
    }

    func setOpenToNetwork(_ isOpen: Bool) async throws {
        let account = try opened()
        try await account.setOpenToNetwork(isOpen)
        await showRelays(of: account)
    }

    func setPortOpen(_ isOpen: Bool) async throws {
        let account = try opened()
        try await account.setPortOpen(isOpen)
        await showRelays(of: account)
    }

    func portChanges() async -> AsyncStream<Void> {
        guard let account = try? opened() else { return AsyncStream { $0.finish() } }
        let (changes, tell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let following = Task {
            for await _ in await account.portChanges { tell.yield() }
            tell.finish()
        }
        tell.onTermination = { _ in following.cancel() }
        return changes
    }

    func testRelay(_ address: String) async -> RelayTestItem {
        guard let account = try? opened() else { return RelayTestItem(isGood: false, sentence: "") }
        let finding = await account.test(relay: address)
        let sentences = [finding.sentence, finding.advice].compactMap { $0 }
        return RelayTestItem(isGood: finding.verdict != .problem, sentence: sentences.joined(separator: " "))
    }

    func useRelay(_ address: String, asksForAddress: Bool) async throws {
        let account = try opened()
        try await account.addRelay(address)
        if asksForAddress { try await account.setAsksRelays(true) }
        await showRelays(of: account)
    }

    func offeredRelays() throws -> [OfferedRelayItem] {
        try OfferedRelays.read().map {
            OfferedRelayItem(
                operatorName: $0.operatorName, address: $0.address, conditions: $0.conditions.absoluteString,
                sees: $0.sees, findsAddresses: $0.findsAddresses)
        }
    }

    func relayToShare(with link: String) async -> String? { await (try? opened())?.relayToShare(with: link) }

    func lookAround() async throws -> SurroundingsItem {
        let surroundings = try await opened().lookAround()
        let (news, tell) = AsyncStream.makeStream(of: SurroundingsItem.News.self)
        Task {
            for await update in surroundings.updates {
                switch update {
                case .people(let people):
                    tell.yield(.people(people.map { SurroundingsItem.Person(id: $0.id, name: $0.name) }))
                case .meeting(let meeting): tell.yield(.meeting(MeetingItem(meeting)))
                }
            }
            tell.finish()
        }
        return SurroundingsItem(
            news: news, meet: { MeetingItem(try await surroundings.meet($0)) }, leave: { await surroundings.leave() })
    }
}

extension MeetingItem {
    /// A meeting of the account's.
    init(_ meeting: NearbyMeeting) {
        let (news, tell) = AsyncStream.makeStream(of: News.self)
        Task {
            for await update in meeting.updates {
                switch update {
                case .compare(let code, let name): tell.yield(.compare(code: code, name: name))
                case .connecting: tell.yield(.connecting)
                case .connected(let contact): tell.yield(.connected(ContactItem(contact)))
                case .failed(let failure): tell.yield(.failed(failure.sentence))
                }
            }
            tell.finish()
        }
        self.init(news: news, confirm: { meeting.confirm() }, refuse: { meeting.refuse() })
    }
}
