import DesktopApplication

// Pretended ways to be reached, and people nearby: Nora, who sees the same code, and Otto, who sees another one.
extension FakeProvider {
    func reach() async -> ReachItem? { reachable }

    func setOpenToNetwork(_ isOpen: Bool) async throws {
        try await Task.sleep(for: pause)
        reachable.isOpenToNetwork = isOpen
        reachable.network = isOpen ? "Others here find your relay as desk.local." : nil
        if isOpen { reachable.extent = .thisNetwork }
    }

    func setPortOpen(_ isOpen: Bool) async throws {
        try await Task.sleep(for: pause)
        reachable.port =
            isOpen
            ? PortItem(
                sentence:
                    "The router says that it forwards port 5223 of 198.51.100.7. Whether others reach it could not be tried from here.",
                isClosed: false) : nil
        reachable.extent = isOpen ? .everywhere : .thisNetwork
    }

    func portChanges() async -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    func testRelay(_ address: String) async -> RelayTestItem {
        try? await Task.sleep(for: pause)
        return address.hasPrefix("smp://")
            ? RelayTestItem(isGood: true, sentence: "The relay answers.")
            : RelayTestItem(isGood: false, sentence: "This is no address of a relay.")
    }

    func useRelay(_ address: String, asksForAddress: Bool) async throws {
        try await addRelay(address)
        reachable.extent = .everywhere
        servers.asksRelays = servers.asksRelays || asksForAddress
    }

    func offeredRelays() throws -> [OfferedRelayItem] {
        [
            OfferedRelayItem(
                operatorName: "Example Club", address: "smp://cHJldGVuZGVk@relay.example.org",
                conditions: "https://example.org/conditions",
                sees: "Addresses and times of connections, kept for a week.", findsAddresses: true)
        ]
    }

    func relayToShare(with link: String) async -> String? {
        link.contains("smp=shared") ? "smp://cHJldGVuZGVk@theirs.example.org" : nil
    }

    func lookAround() async throws -> SurroundingsItem {
        let pause = pause
        let (news, tell) = AsyncStream.makeStream(of: SurroundingsItem.News.self)
        tell.yield(.people([.init(id: "nora", name: "Nora Nearby"), .init(id: "otto", name: "Otto Other-Code")]))
        return SurroundingsItem(news: news) { [weak self] id in
            try await Task.sleep(for: pause)
            return Self.meeting(with: id, self)
        } leave: {
            tell.finish()
        }
    }

    private nonisolated static func meeting(with id: String, _ provider: FakeProvider?) -> MeetingItem {
        let (news, tell) = AsyncStream.makeStream(of: MeetingItem.News.self)
        let name = id == "nora" ? "Nora Nearby" : "Otto Other-Code"
        tell.yield(.compare(code: "394 201", name: name))
        return MeetingItem(news: news) {
            tell.yield(.connecting)
            Task { [weak provider] in
                let contact = ContactItem(id: id, name: name, isTestCall: false, isConnected: true)
                await provider?.add(contact)
                tell.yield(.connected(contact))
                tell.finish()
            }
        } refuse: {
            tell.yield(.failed("You have not become contacts."))
            tell.finish()
        }
    }
}
