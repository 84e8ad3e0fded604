import Cryptography
import Foundation
import Logging
import SMP
import SMPTransport
import Synchronization

@testable import Agent
@testable import AgentProtocol
@testable import SMPSession

/// Where an agent ends: at the n-th transaction that changes its store.
struct Death: Sendable, CustomStringConvertible {
    var number: Int
    var moment: AgentStore.Moment

    var description: String { "\(moment) \(number)" }
}

/// An application with an agent that dies at one transaction and is started again.
///
/// It behaves as an application should: it keeps what it received before it acknowledges, by the message's number, and
/// decides by what its agent says where to go on.
actor MortalPerson {
    let name: String
    private let relay: RelayAddress
    private let folder = TemporaryFolder.inMemory()
    private let death: Death?
    /// How often a transaction changed the store.
    private let count = Mutex(0)
    private let isDead = Mutex(false)
    private(set) var hasDied = false
    private var agent: Agent?
    private var life: Task<Void, any Error>?

    /// What the application remembers.
    private(set) var link: String?
    private(set) var received: [(number: Int64, body: [UInt8], integrity: MessageIntegrity)] = []
    private(set) var sent: [(number: Int64, body: [UInt8])] = []
    private var wishes: [[UInt8]] = []
    private var peersLink: String?
    private(set) var isConnected = false
    private var failures: [AgentError] = []

    init(_ name: String, relay: RelayAddress, death: Death?) {
        self.name = name
        self.relay = relay
        self.death = death
    }

    /// - Parameter peersLink: The link to join; nil to make one.
    func begin(peersLink: String?, saying wishes: [[UInt8]]) {
        self.peersLink = peersLink
        self.wishes = wishes
        life = Task { while try await live() {} }
    }

    func say(_ body: [UInt8]) async throws {
        wishes.append(body)
        try? await speak()
    }

    func end() async {
        life?.cancel()
        await agent?.stop()
        _ = try? await life?.value
    }

    var transactions: Int { count.withLock { $0 } }

    /// Where it is, for a test that failed.
    var state: String {
        get async {
            let phases = (try? await agent?.connections())?.map { "\($0.phase)" } ?? ["closed"]
            return """
                \(name) \(phases), has died: \(hasDied), said \(sent.count), left \(wishes.count), heard \(received.count), \
                failures \(failures)
                """
        }
    }

    func receipts() async -> [ReceiptVerdict?] {
        var verdicts: [ReceiptVerdict?] = []
        for message in sent {
            guard let connection = try? await connection(connected: true) else { return [nil] }
            verdicts.append(try? await agent?.receipt(of: message.number, on: connection))
        }
        return verdicts
    }

    // MARK: One life

    /// From start to death; false when it was ended.
    private func live() async throws -> Bool {
        var transport = TransportConfiguration()
        transport.backoff = ReconnectBackoff(
            initial: .milliseconds(20), growAfter: .seconds(1), maximum: .milliseconds(100))
        isDead.withLock { $0 = false }
        var logger = Logger(label: "dying")
        logger.logLevel = .critical
        let agent = try await Agent(
            configuration: AgentConfiguration(
                directory: folder.path, storeKey: testStoreKey, relays: [relay], transport: transport, logger: logger))
        if let death, !hasDied { arm(agent, death) }
        self.agent = agent
        do {
            await agent.start()
            try await goOn()
            for await event in agent.events {
                guard !isDead.withLock({ $0 }) else { break }
                try await take(event)
            }
        } catch  where isDead.withLock({ $0 }) {}
        await agent.stop()
        let isDead = isDead.withLock { $0 }
        if isDead { hasDied = true }
        return isDead && !Task.isCancelled
    }

    private func arm(_ agent: Agent, _ death: Death) {
        agent.store.interruption.withLock {
            $0 = { [weak self, weak agent] moment in
                guard let self else { return }
                if self.isDead.withLock({ $0 }) { throw StoreError.unavailable("dead") }
                guard moment != .unchanged else { return }
                let number = self.count.withLock { count in
                    if moment == .beforeCommit { count += 1 }
                    return count
                }
                guard number == death.number, moment == death.moment else { return }
                self.isDead.withLock { $0 = true }
                Task { await agent?.stop() }
                throw StoreError.unavailable("dead")
            }
        }
    }

    /// Where the store says that it is.
    private func goOn() async throws {
        guard let agent else { return }
        if let peersLink {
            if try await agent.connections().isEmpty { _ = try await agent.join(link: peersLink, info: [1]) }
        } else if link == nil {
            link = try await agent.makeInvitation().link
        }
        isConnected = try await connection(connected: true) != nil
        try await speak()
    }

    private func take(_ event: AgentEvent) async throws {
        switch event {
        case .confirmation(let connection, _): try await agent?.allow(connection, info: [2])
        case .connected:
            isConnected = true
            try await speak()
        case .message(let connection, let message):
            if !received.contains(where: { $0.number == message.id }) {
                received.append((message.id, message.body, message.integrity))
            }
            await agent?.acknowledge(connection, message: message.id, receipt: true)
        case .failed(_, _, let error): failures.append(error)
        default: break
        }
    }

    private func connection(connected: Bool) async throws -> ConnectionID? {
        try await agent?.connections().first { $0.phase == .connected }?.id
    }

    /// Sends what is not sent. A message whose sending was cut off is not sent again: it may have been taken.
    private func speak() async throws {
        guard isConnected, let agent, let connection = try await connection(connected: true) else { return }
        while !wishes.isEmpty {
            let body = wishes.removeFirst()
            let number = try await agent.send(body, on: connection, notify: true)
            sent.append((number, body))
        }
    }
}

extension TemporaryFolder {
    /// A folder that no disk slows down; what survives a crash of a process is the same.
    static func inMemory() -> TemporaryFolder {
        TemporaryFolder(
            in: FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory())
    }
}
