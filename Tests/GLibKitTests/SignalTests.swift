import CGLib
import GLibKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct SignalTests {
    @Test func `a handler of the emitting thread gets the sender`() {
        let object = Fixture.cancellable()
        let identity = UInt(bitPattern: object.raw)
        let seen = Mutex<[UInt]>([])
        object.connectOnEmittingThread("cancelled") { arguments in
            seen.withLock { $0.append(arguments.sender.map { UInt(bitPattern: $0.raw) } ?? 0) }
        }
        g_cancellable_cancel(object.pointer())
        #expect(seen.withLock { $0 } == [identity])
    }

    @Test func `a disconnected handler is not called`() {
        let object = Fixture.cancellable()
        let count = Atomic(0)
        let connection = object.connectOnEmittingThread("cancelled") { _ in count.add(1, ordering: .relaxed) }
        #expect(connection.isConnected)
        connection.disconnect()
        connection.disconnect()
        #expect(!connection.isConnected)
        g_cancellable_cancel(object.pointer())
        #expect(count.load(ordering: .relaxed) == 0)
    }

    @Test func `a handle does not keep the object alive`() {
        let connection = Fixture.cancellable().connectOnEmittingThread("cancelled") { _ in }
        #expect(!connection.isConnected)
        connection.disconnect()
    }

    @Test func `emission passes parameters and gives the answer back`() throws {
        let application = Fixture.application()
        let command = Mutex("")
        application.connectOnEmittingThread("name-lost", returning: Bool.self) { _ in
            command.withLock { $0 = "asked" }
            return true
        }
        let answer = try application.emit("name-lost")
        #expect(answer?.get(as: Bool.self) == true)
        #expect(command.withLock { $0 } == "asked")
    }

    @Test func `emission refuses what the signal does not take`() {
        let object = Fixture.application()
        #expect(throws: SignalError.unknownSignal("no-such-signal")) { try object.emit("no-such-signal") }
        #expect(throws: SignalError.wrongCount(expected: 0)) { try object.emit("activate", 1) }
        #expect(throws: SignalError.wrongKind(index: 0)) { try object.emit("handle-local-options", 1) }
    }

    @Test func `the closure is released with its object`() {
        final class Token: Sendable {}
        weak var released: Token?
        do {
            let token = Token()
            released = token
            let object = Fixture.cancellable()
            object.connectOnEmittingThread("cancelled") { _ in _ = token }
        }
        #expect(released == nil)
    }
}
