import BaseKit
import CMiniUPnPc
import Foundation

/// Asks a router by UPnP.
package protocol UPnPAsking: Sendable {
    /// - Parameter client: this machine's address towards the router.
    func ask(_ request: UPnPRequest, of router: IPv4Address, from client: IPv4Address) async -> UPnPOutcome
}

/// Asks by libminiupnpc, whose calls wait: each on a thread of its own, one at a time, and not waited for longer than ``patience``.
package final class UPnPClient: UPnPAsking {
    /// How long everything together may take. The library waits a few seconds for each single thing.
    static let patience = Duration.seconds(30)

    /// Where the router's description was last time.
    private let place = Lock<String?>(nil)
    /// Whether a thread still waits, maybe for a router that never ends its answer.
    private let isBusy = Lock(false)

    package init() {}

    package func ask(
        _ request: UPnPRequest, of router: IPv4Address, from client: IPv4Address
    ) async -> UPnPOutcome {
        let isFree = isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
        guard isFree else { return .absent }
        return await withCheckedContinuation { continuation in
            let answer = Answer(waiting: continuation)
            Thread.detachNewThread { [self] in
                let outcome = carryOut(request, router, client)
                isBusy.withLock { $0 = false }
                answer.give(outcome)
            }
            WorkerThreads.shared.run(after: Self.patience) {
                answer.give(.absent)
            }
        }
    }

    /// The first of two answers counts.
    private final class Answer: Sendable {
        private let waiting: Lock<CheckedContinuation<UPnPOutcome, Never>?>

        init(waiting: CheckedContinuation<UPnPOutcome, Never>) { self.waiting = Lock(waiting) }

        func give(_ outcome: UPnPOutcome) {
            waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }?.resume(returning: outcome)
        }
    }

    private func carryOut(_ request: UPnPRequest, _ router: IPv4Address, _ client: IPv4Address) -> UPnPOutcome {
        guard let service = knownService(of: router) ?? foundService(of: router, client) else { return .absent }
        switch request {
        case .map(let internalPort, let externalPort, let lifetime):
            return service.map(internalPort, client, outside: externalPort, lifetime: lifetime)
        case .remove(let externalPort):
            service.remove(externalPort)
            return .removed
        }
    }

    private func knownService(of router: IPv4Address) -> GatewayService? {
        place.withLock { $0 }.flatMap { GatewayService(description: $0, of: router) }
    }

    private func foundService(of router: IPv4Address, _ client: IPv4Address) -> GatewayService? {
        for description in GatewayService.descriptions(seenFrom: client) {
            guard let service = GatewayService(description: description, of: router) else { continue }
            place.withLock { $0 = description }
            return service
        }
        return nil
    }
}
