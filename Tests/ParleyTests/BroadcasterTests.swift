import Calling
import Testing

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct BroadcasterTests {
    @Test func givesALateListenerTheLatestValueFirst() async {
        let broadcaster = Broadcaster(1)
        broadcaster.send(2)
        let stream = broadcaster.stream()
        broadcaster.send(3)
        broadcaster.finish()
        var heard: [Int] = []
        for await value in stream { heard.append(value) }
        #expect(heard == [2, 3])
    }

    @Test func givesEveryListenerEveryValue() async {
        let broadcaster = Broadcaster<Int>()
        let streams = [broadcaster.stream(), broadcaster.stream()]
        for value in 0..<100 { broadcaster.send(value) }
        broadcaster.finish()
        for stream in streams {
            var heard: [Int] = []
            for await value in stream { heard.append(value) }
            #expect(heard == Array(0..<100))
        }
    }

    @Test func endsAListenerThatComesAfterTheEndWithTheLastValue() async {
        let broadcaster = Broadcaster(1)
        broadcaster.send(2)
        broadcaster.finish()
        broadcaster.send(3)
        var heard: [Int] = []
        for await value in broadcaster.stream() { heard.append(value) }
        #expect(heard == [2])
    }

    @Test func tellsALateListenerWhatHolds() async {
        let updates = AccountUpdates()
        let contact = Contact(id: ContactID(rawValue: "a"), name: "Ann", isConnected: true)
        updates.send(.contacts([]))
        updates.send(.contacts([contact]))
        updates.send(.relay(RelayStatus(address: "r", smpVersion: nil)))
        updates.send(.relay(RelayStatus(address: "r", smpVersion: 14)))
        updates.send(.notice("Over."))
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
}
