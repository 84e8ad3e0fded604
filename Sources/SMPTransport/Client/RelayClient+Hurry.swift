import BaseKit
import NIOCore
import SMP
import SMPSession

/// How a client behaves while it matters that messages go through at once, as in a call whose path is broken.
enum Hurry {
    /// How often the relay is asked whether it is still there.
    static let interval = Duration.seconds(2)
    /// How long it may take to answer.
    static let patience = Duration.milliseconds(2_500)
    /// For TCP, TLS and hello each: a packet lost in a cut is not waited for.
    static let connectTimeout = Duration.seconds(3)
    /// Between two attempts to connect.
    static let pause = Duration.milliseconds(300)
}

extension RelayClient {
    /// For a while, finds out within seconds that the connection is dead, and connects anew without long pauses.
    ///
    /// TCP alone would take minutes to notice that the way is cut or that the own address has gone. An attempt that is under way goes on
    /// beside those that are made in a hurry.
    public func hurry(for duration: Duration) {
        hurryUntil = duration > .zero ? .now + duration : nil
        hurrying?.cancel()
        guard duration > .zero else { return }
        reconnectNow()
        hastenAttempt()
        hurrying = Task { [weak self] in
            while !Task.isCancelled, let self, await self.isHurried {
                await self.probe()
                try? await Task.sleep(for: Hurry.interval)
            }
        }
    }

    var isHurried: Bool { hurryUntil.map { .now < $0 } ?? false }

    /// How the next connection is made.
    var presentConfiguration: TransportConfiguration {
        guard isHurried else { return configuration }
        var configuration = configuration
        configuration.connectTimeout = min(configuration.connectTimeout, Hurry.connectTimeout)
        return configuration
    }

    /// Ends the connection if it is dead.
    private func probe() async {
        guard let connection = present else { return }
        if !connection.hasLostItsAddress {
            if await Self.answers(connection) { return }
            if await connection.isPaused { return }
        }
        // Whoever was disturbed meanwhile does not judge.
        guard !Task.isCancelled else { return }
        configuration.logger.info("Relay does not answer", metadata: ["relay": "\(address)"])
        await connection.close()
    }

    private static func answers(_ connection: RelayConnection) async -> Bool {
        let (answers, continuation) = AsyncStream<Bool>.makeStream()
        Task {
            let answer = await connection.requests([RelayRequest(.ping)]).first
            switch answer {
            case .failure(.notConnected), .failure(.interrupted), .failure(.timeout), nil: continuation.yield(false)
            // An answer that no client expects is one all the same.
            case .success, .failure: continuation.yield(true)
            }
        }
        let limit = Task {
            try? await Task.sleep(for: Hurry.patience)
            continuation.yield(false)
        }
        defer { limit.cancel() }
        for await answer in answers { return answer }
        // Cancelled: nothing is known.
        return true
    }
}

extension RelayConnection {
    /// Whether the own address it was made from is no longer one of this machine's: nothing can come through any more.
    var hasLostItsAddress: Bool {
        guard let own = localAddress?.ipAddress, let devices = try? System.enumerateDevices() else { return false }
        let addresses = devices.compactMap { $0.address?.ipAddress }
        return !addresses.isEmpty && !addresses.contains(own)
    }
}
