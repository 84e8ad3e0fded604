import Calling
import Signaling
import Testing

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct AccountUpdatesTests {
    private let updates = AccountUpdates()

    @Test func `a call missed before anybody listens is told to the first who does`() async throws {
        let first = try missed()
        updates.send(.missed(first))
        #expect(await missed(in: updates.stream()) == [first.id])
        #expect(await missed(in: updates.stream()) == [])
    }

    @Test func `a late listener is told what holds`() async {
        let contact = Contact(id: ContactID(rawValue: "a"), name: "Ann", isConnected: true)
        updates.send(.contacts([]))
        updates.send(.contacts([contact]))
        updates.send(.relay(RelayStatus(address: "r", smpVersion: nil)))
        updates.send(.relay(RelayStatus(address: "r", smpVersion: 14)))
        updates.send(.notice(.removed("Ann")))
        updates.finish()
        var heard: [String] = []
        for await update in updates.stream() {
            switch update {
            case .contacts(let contacts): heard.append("contacts \(contacts.map(\.name))")
            case .relay(let status): heard.append("relay \(status.smpVersion ?? 0)")
            default: heard.append("other")
            }
        }
        #expect(heard == ["contacts [\"Ann\"]", "relay 14"])
    }

    @Test func `who listens late is told that there is no network, and not that there is one`() async {
        func heard() async -> [Bool] {
            var heard: [Bool] = []
            for await update in updates.stream() {
                switch update {
                case .network(let isThere): heard.append(isThere)
                case .unread: return heard
                default: break
                }
            }
            return heard
        }
        updates.send(.unread([ContactID(rawValue: "a"): 1]))
        updates.send(.network(true))
        #expect(await heard() == [])
        updates.send(.network(false))
        #expect(await heard() == [false])
        updates.send(.network(true))
        #expect(await heard() == [])
    }

    @Test func `what is known of the network is not told again`() async {
        let stream = updates.stream()
        for isThere in [true, false, false, true, true] { updates.send(.network(isThere)) }
        updates.finish()
        var heard: [Bool] = []
        for await update in stream { if case .network(let isThere) = update { heard.append(isThere) } }
        #expect(heard == [false, true])
    }

    @Test func `a call missed while somebody listens is told once`() async throws {
        let call = try missed()
        let stream = updates.stream()
        updates.send(.missed(call))
        #expect(await missed(in: updates.stream()) == [])
        #expect(await missed(in: stream) == [call.id])
    }

    @Test func `a missed call waits for who tells it to the person`() async throws {
        let inside = updates.stream(isForPerson: false)
        let call = try missed()
        updates.send(.missed(call))
        #expect(await missed(in: updates.stream()) == [call.id])
        #expect(await missed(in: inside) == [call.id])
    }

    @Test func `only the newest missed calls are kept`() async throws {
        var ids: [CallID] = []
        for _ in 0..<AccountUpdates.untoldLimit + 5 {
            let call = try missed()
            ids.append(call.id)
            updates.send(.missed(call))
        }
        #expect(await missed(in: updates.stream()) == Array(ids.suffix(AccountUpdates.untoldLimit)))
    }

    private func missed() throws -> MissedCall {
        let contact = Contact(id: ContactID(rawValue: "a"), name: "Ann", isConnected: true)
        let entry = CallLogEntry(
            callID: .random(), contact: contact.id, direction: .incoming, media: .audio, startedAt: 0, duration: nil,
            reason: .missed, setup: SetupTimeline())
        return try #require(MissedCall(entry, contact: contact))
    }

    /// The missed calls a stream tells before the updates end or nothing more is there.
    private func missed(in stream: AsyncStream<AccountUpdate>) async -> [CallID] {
        let mark = AccountNotice.removed("the end of what is looked at")
        updates.send(.notice(mark))
        var found: [CallID] = []
        for await update in stream {
            switch update {
            case .missed(let call): found.append(call.id)
            case .notice(mark): return found
            default: break
            }
        }
        return found
    }
}
