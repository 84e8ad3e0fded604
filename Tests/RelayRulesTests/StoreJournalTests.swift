import SMP
import Testing

@testable import RelayRules

/// Which changes reach the disk.
@Suite(.timeLimit(.minutes(5))) struct StoreJournalTests {
    private func message(_ number: Int64) -> StoredMessage {
        StoredMessage(number: number, id: .random(), body: .message(time: 1, notify: false, body: [1]))
    }

    private func numbers(_ changes: [StoreChange]) -> [String] {
        changes.map { change in
            switch change {
            case .addMessage(_, let message): "+\(message.number)"
            case .removeMessage(let number): "-\(number)"
            case .saveQueue, .saveLink, .removeQueue: "queue"
            case .saveAge: "age"
            case .blockAddress: "address"
            }
        }
    }

    @Test func `a message that left before it was taken leaves no trace`() {
        var journal = StoreJournal()
        journal.isKept = true
        for number in 1...3 { journal.append(.addMessage(queue: 9, message(Int64(number)))) }
        journal.append(.removeMessage(number: 2))
        #expect(numbers(journal.take()) == ["+1", "+3"])
        #expect(journal.take().isEmpty)
    }

    @Test func `a message that was taken is removed`() {
        var journal = StoreJournal()
        journal.isKept = true
        journal.append(.addMessage(queue: 9, message(1)))
        #expect(numbers(journal.take()) == ["+1"])
        journal.append(.removeMessage(number: 1))
        journal.append(.removeQueue(number: 9))
        #expect(numbers(journal.take()) == ["-1", "queue"])
    }

    @Test func `each change counts even if it leaves no trace`() {
        var journal = StoreJournal()
        journal.isKept = true
        journal.append(.addMessage(queue: 9, message(1)))
        journal.append(.removeMessage(number: 1))
        #expect(journal.position == 2)
    }

    @Test func `nothing is kept without a disk`() {
        var journal = StoreJournal()
        journal.append(.addMessage(queue: 9, message(1)))
        #expect(journal.position == 0)
        #expect(journal.take().isEmpty)
    }
}
