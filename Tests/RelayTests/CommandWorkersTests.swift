import Cryptography
import Dispatch
import Foundation
import Logging
import NIOPosix
import SMP
import Synchronization
import TestSupport
import Testing

@testable import Relay
@testable import RelayRules
@testable import SMPSession
@testable import SMPTransport

/// Commands are carried out beside the event loops.
@Suite(.timeLimit(.minutes(5))) struct CommandWorkersTests {
    /// Keys of new queues wait until it is opened.
    private final class Gate: Sendable {
        let entered = DispatchSemaphore(value: 0)
        let opened = DispatchSemaphore(value: 0)

        var entropy: RelayEntropy {
            var entropy = RelayEntropy.system
            let agree = entropy.agreement
            entropy.agreement = { [self] key in
                entered.signal()
                opened.wait()
                return try agree(key)
            }
            return entropy
        }
    }

    @Test func `work is done as directly after thousands of pieces as at first`() async throws {
        let workers = CommandWorkers<Int>(limits: WorkLimits(), threads: 1)
        let done = DispatchSemaphore(value: 0)
        let frames = Mutex<[Int]>([])
        workers.use { _, _ in
            frames.withLock { $0.append(Thread.callStackReturnAddresses.count) }
            done.signal()
            return .finished
        }
        workers.sessionStarted(1, from: nil)
        let count = 5_000
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                for number in 0..<count {
                    workers.add(number, for: 1)
                    done.wait()
                }
                continuation.resume()
            }
        }
        let found = frames.withLock { $0 }
        #expect(found.count == count)
        #expect(found.last == found.first)
    }

    @Test func `what is small is done by who brings it, and the rest of it by a worker`() async throws {
        let workers = CommandWorkers<Int>(limits: WorkLimits(), threads: 1)
        let done = Mutex<[String]>([])
        workers.use { item, place in
            done.withLock { $0.append("\(item) \(place)") }
            return item == 2 && place == .eventLoop ? .more(item) : .finished
        }
        workers.sessionStarted(1, from: nil)
        workers.addOrDo(1, for: 1)
        #expect(done.withLock { $0 } == ["1 eventLoop"])
        workers.addOrDo(2, for: 1)
        try await waitUntil("a worker goes on") { done.withLock { $0.count } == 3 }
        #expect(done.withLock { $0 } == ["1 eventLoop", "2 eventLoop", "2 worker"])
        workers.hold(1)
        workers.addOrDo(3, for: 1)
        workers.addOrDo(4, for: 1)
        #expect(done.withLock { $0.count } == 3)
        workers.release(1)
        try await waitUntil("both are done") { done.withLock { $0.count } == 5 }
        #expect(done.withLock { $0.suffix(2) } == ["3 worker", "4 worker"])
    }

    @Test(arguments: [CommandWorkers<Int>.Place.eventLoop, .worker])
    func `what is done for another address is measured wherever it is done`(
        place: CommandWorkers<Int>.Place
    ) async throws {
        var limits = WorkLimits()
        // Two pieces are more than there is, and it takes an hour to pay for the surplus.
        (limits.sessionCapacity, limits.sessionRate) = (.milliseconds(3), 1e-6)
        (limits.addressCapacity, limits.addressRate) = (.seconds(1_000), 1)
        let workers = CommandWorkers<Int>(limits: limits, threads: 1)
        let done = Mutex<[Int]>([])
        workers.use { item, _ in
            let end = Self.processorTime + .milliseconds(2)
            while Self.processorTime < end {}
            done.withLock { $0.append(item) }
            return .finished
        }
        for session in [1, 2] as [SessionNumber] {
            workers.sessionStarted(session, from: session == 1 ? .ipv4(1) : nil)
            for item in 0..<4 {
                switch place {
                case .eventLoop: workers.addOrDo(Int(session) * 10 + item, for: session)
                case .worker: workers.add(Int(session) * 10 + item, for: session)
                }
            }
        }
        // This machine's own owe nothing.
        try await waitUntil("all is done that may be") { done.withLock { $0.count } >= 6 }
        #expect(done.withLock { $0.sorted() } == [10, 11, 20, 21, 22, 23])
    }

    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test func `a session that ends by what is done for it at once is over then`() {
        let workers = CommandWorkers<Int>(limits: WorkLimits(), threads: 1)
        let ended = Mutex(0)
        workers.use { [weak workers] _, _ in
            workers?.sessionEnded(1) { ended.withLock { $0 += 1 } }
            #expect(ended.withLock { $0 } == 0)
            return .finished
        }
        workers.sessionStarted(1, from: nil)
        workers.addOrDo(1, for: 1)
        #expect(ended.withLock { $0 } == 1)
    }

    @Test func `a command that takes long does not hold up its event loop`() async throws {
        let gate = Gate()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let core = RelayCore(entropy: gate.entropy) { 1_700_000_000 }
        let certificates = try RelayCertificates.make(host: "localhost")
        var configuration = ListenerConfiguration(host: "127.0.0.1", port: 0, certificates: certificates)
        configuration.eventLoopGroup = group
        let listener = Listener(
            configuration: configuration, sessions: RelayService(core: core, logger: Logger(label: "test")))
        let address = try await RelayAddress(
            hosts: ["127.0.0.1"], port: listener.start(), keyHash: certificates.fingerprint)
        let slow = try await RelayConnection.connect(to: address)
        let making = Task { try await TestQueue(on: slow) }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                gate.entered.wait()
                continuation.resume()
            }
        }
        // A client that comes now, and its commands, are served by the only event loop there is.
        let quick = try? await RelayConnection.connect(
            to: address, configuration: TransportConfiguration(connectTimeout: .seconds(5)))
        #expect(try await quick?.request(RelayRequest(.ping)) == .pong)
        gate.opened.signal()
        _ = try await making.value
        await listener.stop()
        try await group.shutdownGracefully()
    }

    @Test func `events that wait for an answer count against their session`() async throws {
        let gate = Gate()
        let core = RelayCore(entropy: gate.entropy) { 1_700_000_000 }
        let certificates = try RelayCertificates.make(host: "localhost")
        var limits = OutputLimits()
        limits.perSession = 20 * SMPLimits.block
        let ledger = ConnectionLedger(outputLimits: limits)
        let service = RelayService(core: core, logger: Logger(label: "test"))
        let listener = Listener(
            configuration: ListenerConfiguration(
                host: "127.0.0.1", port: 0, certificates: certificates, ledger: ledger), sessions: service)
        let address = try await RelayAddress(
            hosts: ["127.0.0.1"], port: listener.start(), keyHash: certificates.fingerprint)
        let sender = try await RelayConnection.connect(to: address)
        let key = AuthenticationPrivateKey.ed25519(.init())
        var queues: [TestQueue] = []
        for _ in 0..<30 {
            gate.opened.signal()
            queues.append(try await TestQueue(on: sender, subscribes: false, recipientKey: key))
        }
        let recipient = try await RawSession(to: address)
        for queue in queues {
            try await recipient.send(.subscribe, entity: queue.ids.recipientID, key: key)
            #expect(try await recipient.receive() == .ok)
        }
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey, subscribes: false,
            link: .messaging(nil))
        try await recipient.send(.new(request), key: key)
        let count = queues.count
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                for _ in 0...count { gate.entered.wait() }
                continuation.resume()
            }
        }
        for queue in queues {
            #expect(try await sender.request(queue.sender(.send(notify: false, body: [1]), secured: false)) == .ok)
        }
        try await waitUntil("the session is given up") { ledger.unreadSessions == 1 }
        gate.opened.signal()
        try await waitUntil("nothing is kept for it") {
            ledger.output == 0 && service.sessionCounts.values.reduce(0, +) == 1
        }
        await listener.stop()
    }

    @Test func `a session that ends during its command is forgotten afterwards`() async throws {
        let gate = Gate()
        let core = RelayCore(entropy: gate.entropy) { 1_700_000_000 }
        let service = RelayService(core: core, logger: Logger(label: "test"))
        let certificates = try RelayCertificates.make(host: "localhost")
        let listener = Listener(
            configuration: ListenerConfiguration(host: "127.0.0.1", port: 0, certificates: certificates),
            sessions: service)
        let address = try await RelayAddress(
            hosts: ["127.0.0.1"], port: listener.start(), keyHash: certificates.fingerprint)
        let connection = try await RelayConnection.connect(to: address)
        let making = Task { try? await TestQueue(on: connection, subscribes: true) }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                gate.entered.wait()
                continuation.resume()
            }
        }
        await connection.close()
        _ = await making.value
        try await waitUntil("the session ends") { service.sessionCounts.isEmpty }
        gate.opened.signal()
        try await waitUntil("the queue is made") { core.withStore { $0.queues.count } == 1 }
        try await waitUntil("nobody is subscribed") {
            core.withStore { store in store.sessions.isEmpty && store.queues.values.allSatisfy { $0.subscriber == nil }
            }
        }
        await listener.stop()
    }

    @Test func `an event that comes during a command follows its answer`() async throws {
        let gate = Gate()
        let core = RelayCore(entropy: gate.entropy) { 1_700_000_000 }
        let certificates = try RelayCertificates.make(host: "localhost")
        let listener = Listener(
            configuration: ListenerConfiguration(host: "127.0.0.1", port: 0, certificates: certificates),
            sessions: RelayService(core: core, logger: Logger(label: "test")))
        let address = try await RelayAddress(
            hosts: ["127.0.0.1"], port: listener.start(), keyHash: certificates.fingerprint)
        let sender = try await RelayConnection.connect(to: address)
        let key = AuthenticationPrivateKey.ed25519(.init())
        gate.opened.signal()
        let queue = try await TestQueue(on: sender, subscribes: false, recipientKey: key)
        let recipient = try await RawSession(to: address)
        try await recipient.send(.subscribe, entity: queue.ids.recipientID, key: key)
        #expect(try await recipient.receive() == .ok)
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey, subscribes: false,
            link: .messaging(nil))
        try await recipient.send(.new(request), key: key)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                // The first one was of the first queue.
                gate.entered.wait()
                gate.entered.wait()
                continuation.resume()
            }
        }
        #expect(try await sender.request(queue.sender(.send(notify: false, body: [1]), secured: false)) == .ok)
        gate.opened.signal()
        guard case .queue = try await recipient.receive() else {
            Issue.record("the event overtook the answer")
            return
        }
        guard case .message = try await recipient.receive() else {
            Issue.record("no message came")
            return
        }
        await listener.stop()
    }
}
