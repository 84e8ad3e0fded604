import BaseKit
import Glibc
import MediaRules

/// A way to a `turns:` server for webrtcbin, which speaks no TLS: it connects to a port of this machine, and what it says
/// goes on through a TLS connection whose certificate has been checked.
///
/// What passes is not looked into. Only sockets of this process are let in, and only so many.
final class TLSTunnel: Sendable {
    /// libnice makes one connection for each address of the machine.
    static let maximumConnections = 16

    private struct State {
        var connections = 0
        var isClosed = false
        var hasFailed = false
    }

    /// Where it listens: address and port, the IPv6 address in brackets.
    let place: String
    private let state = Lock(State())
    private let stop: StopFlag

    /// Begins to listen, on a port that is free. The server is dialled once somebody comes.
    ///
    /// `onFailure` is told once, on a thread of its own. Throws ``RelayServerError``.
    init(
        to url: ICEServerURL, authorities: String? = nil, limits: TunnelLimits = TunnelLimits(),
        onFailure: @escaping @Sendable (RelayServerError) -> Void
    ) throws(RelayServerError) {
        let tls = try TunnelTLS(url, authorities: authorities)
        let stop = try StopFlag()
        self.stop = stop
        // libnice reaches servers of an address's own family only.
        let listener = try TunnelListener(onIPv6: LocalNetwork.hasOnlyIPv6)
        place = listener.place
        let report: @Sendable (RelayServerError) -> Void = { [weak self] error in
            if self?.isFirstFailure ?? false { onFailure(error) }
        }
        DetachedThread.start {
            while let client = listener.accept(until: stop) {
                guard client.isOfThisProcess, self.enter() else { continue }
                DetachedThread.start {
                    TunnelConnection(client: client, tls: tls, limits: limits, stop: stop).run(report: report)
                    self.leave()
                }
            }
        }
    }

    deinit { stop.raise() }

    /// Lets nobody in any more and ends what there is, soon after this returns.
    func close() {
        state.withLock { $0.isClosed = true }
        stop.raise()
    }

    /// How many connections pass now.
    var connections: Int { state.withLock { $0.connections } }

    private var isFirstFailure: Bool {
        state.withLock { state in
            defer { state.hasFailed = true }
            return !state.hasFailed && !state.isClosed
        }
    }

    private func enter() -> Bool {
        state.withLock { state in
            guard !state.isClosed, state.connections < Self.maximumConnections else { return false }
            state.connections += 1
            return true
        }
    }

    private func leave() { state.withLock { $0.connections -= 1 } }
}

/// What a tunnel allows itself.
struct TunnelLimits: Sendable {
    /// Bytes that wait in each direction; whoever sends more has to wait.
    var bytesWaiting = 64 * 1_024
    /// The time for reaching the server and agreeing on TLS.
    var setUp: Duration = .seconds(8)
    /// The time for handing over the rest when one side has ended.
    var farewell: Duration = .seconds(2)
}
