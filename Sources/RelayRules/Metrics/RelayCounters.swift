import BaseKit
import SMP
import Synchronization

/// What a relay has done since its start, in totals only: nothing in it names a queue, a key or an address.
package final class RelayCounters: Sendable {
    package struct Counts: Sendable {
        /// Commands carried out or refused when they were carried out, forwarded ones included.
        package var commands: [CommandTag: UInt64] = [:]
        /// Errors answered, by their name on the wire.
        package var refusals: [String: UInt64] = [:]
        /// Messages taken into queues.
        package var received: UInt64 = 0
        /// Messages handed to recipients, repetitions included.
        package var delivered: UInt64 = 0
        /// Notifications handed to notification servers.
        package var notified: UInt64 = 0
        /// Messages dropped because of their age.
        package var expired: UInt64 = 0
        /// Blocks taken from clients.
        package var blocks: UInt64 = 0
        /// Sessions closed because nothing was heard of them.
        package var idle: UInt64 = 0

        package init() {}
    }

    private let counts = Lock(Counts())
    private let blocks = Atomic<UInt64>(0)

    package var current: Counts {
        var current = counts.withLock { $0 }
        current.blocks = blocks.load(ordering: .relaxed)
        return current
    }

    /// A block came from a client.
    func countBlock() { blocks.wrappingAdd(1, ordering: .relaxed) }

    package func add(_ change: (inout Counts) -> Void) { counts.withLock { change(&$0) } }

    /// A command was carried out, or refused in the attempt.
    func count(_ command: CommandTag, _ execution: Execution) {
        counts.withLock { counts in
            counts.commands[command, default: 0] += 1
            counts.count(execution.reply)
            if command == .send, case .plain(.ok) = execution.reply { counts.received += 1 }
            for event in execution.events { counts.count(event.reply) }
            for push in execution.pushes { counts.count(push.reply) }
        }
    }

    /// A command was refused before it could be carried out.
    package func count(refusal: SMPError) { counts.withLock { $0.refusals[refusal.metricName, default: 0] += 1 } }
}

extension RelayCounters.Counts {
    fileprivate mutating func count(_ reply: Reply) {
        switch reply {
        case .delivery: delivered += 1
        case .notification: notified += 1
        case .plain(.error(let error)): refusals[error.metricName, default: 0] += 1
        case .plain: break
        }
    }
}

extension SMPError {
    /// The error's name on the wire, without its details.
    var metricName: String {
        switch self {
        case .block: "BLOCK"
        case .session: "SESSION"
        case .command(let error): "CMD \(error.rawValue)"
        case .proxy: "PROXY"
        case .authentication: "AUTH"
        case .blocked: "BLOCKED"
        case .service: "SERVICE"
        case .crypto: "CRYPTO"
        case .quota: "QUOTA"
        case .store: "STORE"
        case .noMessage: "NO_MSG"
        case .largeMessage: "LARGE_MSG"
        case .expired: "EXPIRED"
        case .internalError: "INTERNAL"
        case .duplicate: "DUPLICATE_"
        }
    }
}
