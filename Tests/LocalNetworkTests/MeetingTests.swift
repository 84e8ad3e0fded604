import TestSupport
import Testing

@testable import LocalNetwork

/// Two programs that pair over a real connection.
@Suite(.timeLimit(.minutes(5))) struct MeetingTests {
    /// Two ends that are connected, and who listened.
    private func meet(
        patience: Duration = .seconds(60)
    ) async throws -> (anna: Meeting, ben: Meeting, listener: PairingListener) {
        let listener = try await PairingListener.start()
        let connection = try await PairingConnection.connect(to: "127.0.0.1", port: listener.port)
        let anna = Meeting(PairingMachine(.beginning, name: "Anna"), connection, patience: patience)
        var incoming = listener.connections.makeAsyncIterator()
        let ben = Meeting(PairingMachine(.asked, name: "Ben"), try #require(await incoming.next()), patience: patience)
        return (anna, ben, listener)
    }

    @Test func `a link goes over when both have confirmed`() async throws {
        let (anna, ben, listener) = try await meet()
        var (hers, his) = (anna.news.makeAsyncIterator(), ben.news.makeAsyncIterator())
        guard case .compare(let code, "Ben")? = await hers.next() else {
            Issue.record("no code")
            return
        }
        #expect(await his.next() == .compare(code: code, name: "Anna"))
        ben.confirm()
        anna.confirm()
        #expect(await hers.next() == .makeLink)
        anna.give(link: "simplex:/invitation#1")
        #expect(await his.next() == .open(link: "simplex:/invitation#1"))
        ben.opened()
        #expect(await his.next() == .finished)
        #expect(await hers.next() == .finished)
        #expect(await hers.next() == nil)
        await listener.stop()
    }

    @Test func `who says no ends it for both`() async throws {
        let (anna, ben, listener) = try await meet()
        var (hers, his) = (anna.news.makeAsyncIterator(), ben.news.makeAsyncIterator())
        (_, _) = (await hers.next(), await his.next())
        anna.confirm()
        ben.refuse()
        #expect(await his.next() == .failed(.refusedHere))
        #expect(await hers.next() == .failed(.refusedThere))
        #expect(anna.isOver && ben.isOver)
        await listener.stop()
    }

    @Test func `who goes away, or takes too long, ends it`() async throws {
        let (anna, ben, listener) = try await meet(patience: .milliseconds(300))
        var (hers, his) = (anna.news.makeAsyncIterator(), ben.news.makeAsyncIterator())
        (_, _) = (await hers.next(), await his.next())
        #expect(await hers.next() == .failed(.lost))
        #expect(await his.next() == .failed(.lost))
        await listener.stop()
    }

    @Test func `a frame that is too long ends the connection`() async throws {
        let listener = try await PairingListener.start()
        let connection = try await PairingConnection.connect(to: "127.0.0.1", port: listener.port)
        var incoming = listener.connections.makeAsyncIterator()
        let asked = try #require(await incoming.next())
        connection.sendRaw([0xFF, 0xFF] + [UInt8](repeating: 0, count: 100))
        var messages = asked.messages.makeAsyncIterator()
        #expect(await messages.next() == nil)
        await listener.stop()
    }
}
