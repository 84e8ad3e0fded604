import SMP
import TestSupport
import Testing

@testable import Agent

/// Two agents over a real relay, of which one dies at every single transaction from the first to the last, just before it
/// is on disk or just after, and is started again.
@Suite(.timeLimit(.minutes(5))) struct AgentDeathTests {
    private static func body(_ number: Int) -> [UInt8] { Array("message \(number)".utf8) }

    /// Connects the two and lets each say two things and a last one.
    /// - Returns: whether the death came, and how many transactions there were.
    private static func story(_ relay: RelayAddress, initiator: Death?, joiner: Death?) async throws -> [MortalPerson] {
        let first = MortalPerson("initiator", relay: relay, death: initiator)
        let second = MortalPerson("joiner", relay: relay, death: joiner)
        await first.begin(peersLink: nil, saying: [body(1), body(2)])
        do {
            try await waitUntil("a link", within: .seconds(60)) { await first.link != nil }
            await second.begin(peersLink: await first.link, saying: [body(11), body(12)])
            try await settle(first, second)
            // Nothing is left behind that could come again or in between.
            try await first.say(body(3))
            try await second.say(body(13))
            try await settle(first, second)
        } catch {
            throw Overdue(
                "\(error) \(initiator ?? joiner as Any): \(await first.state) \(await first.receipts()); \(await second.state) \(await second.receipts())"
            )
        }
        for (speaker, listener) in [(first, second), (second, first)] {
            let (said, heard) = (await speaker.sent.map(\.body), await listener.received.map(\.body))
            #expect(said.allSatisfy(heard.contains))
            #expect(heard == heard.sorted { $0.lexicographicallyPrecedes($1) })
            #expect(Set(heard).count == heard.count)
            #expect(await listener.received.allSatisfy { $0.integrity == .ok })
            // Waits: the death may come only now, and its agent has to be back to be asked.
            try await waitUntil("every receipt matches", within: .seconds(60)) {
                await speaker.receipts().allSatisfy { $0 == .matching }
            }
        }
        await first.end()
        await second.end()
        return [first, second]
    }

    private static func settle(_ first: MortalPerson, _ second: MortalPerson) async throws {
        for person in [first, second] {
            try await waitUntil("both are connected", within: .seconds(60)) { await person.isConnected }
        }
        for (speaker, listener) in [(first, second), (second, first)] {
            try await waitUntil("everything has come and is receipted", within: .seconds(60)) {
                let (said, heard) = (await speaker.sent.map(\.body), await listener.received.map(\.body))
                guard said.allSatisfy(heard.contains) else { return false }
                return await speaker.receipts().allSatisfy { $0 != nil }
            }
        }
    }

    @Test(arguments: [true, false], [AgentStore.Moment.beforeCommit, .afterCommit])
    func `whoever dies at whatever transaction nothing is lost or comes twice`(
        isInitiator: Bool, moment: AgentStore.Moment
    ) async throws {
        let relay = try await TestRelay()
        let address = relay.address
        try await withThrowingTaskGroup(of: Bool.self) { group in
            var number = 0
            var deaths = 0
            func add() {
                number += 1
                let death = Death(number: number, moment: moment)
                group.addTask {
                    let people = try await Self.story(
                        address, initiator: isInitiator ? death : nil, joiner: isInitiator ? nil : death)
                    return await people[isInitiator ? 0 : 1].hasDied
                }
            }
            for _ in 0..<6 { add() }
            // Until a story has fewer transactions than the number that was to be the last.
            var isLongEnough = false
            while let hasDied = try await group.next() {
                deaths += hasDied ? 1 : 0
                if !hasDied { isLongEnough = true }
                if !isLongEnough { add() }
            }
            #expect(deaths >= 15)
        }
        await relay.stop()
    }
}
