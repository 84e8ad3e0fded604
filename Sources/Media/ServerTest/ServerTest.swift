import BaseKit
import Cryptography
import Glibc
import MediaRules

/// Asks a STUN or TURN server what a call would ask it, by the same way: UDP, TCP, or TLS with its certificate checked.
public enum ServerTest {
    /// What a server answered.
    public struct Answer: Sendable, Equatable {
        /// The address and port that it saw of this machine.
        public var seen: String?
        /// The address and port that it relays at; nil of a STUN server. It is given back at once.
        public var relayed: String?
        /// From the first question to the last answer, in milliseconds.
        public var milliseconds: Int

        /// An answer.
        public init(seen: String?, relayed: String?, milliseconds: Int) {
            (self.seen, self.relayed, self.milliseconds) = (seen, relayed, milliseconds)
        }
    }

    /// Tests a server; it takes at most some ten seconds.
    /// - Throws: ``ServerTestError``.
    public static func run(_ server: ICEServer) async throws(ServerTestError) -> Answer {
        let outcome: Result<Answer, ServerTestError> = await withCheckedContinuation { continuation in
            let isStarted = DetachedThread.start {
                continuation.resume(
                    returning: Result { () throws(ServerTestError) in try runNow(server) })
            }
            if !isStarted { continuation.resume(returning: .failure(.way(.local("no thread")))) }
        }
        return try outcome.get()
    }

    private static func runNow(_ server: ICEServer) throws(ServerTestError) -> Answer {
        let url: ICEServerURL
        do throws(ICEServerError) {
            url = try ICEServerURL(server)
        } catch {
            throw .server(error)
        }
        let login = server.login(wallClock: Int64(time(nil)))
        let begin = Instant.now
        switch url.scheme {
        case .stuns:
            // As calls do it (``ICEServerAddress``): by plain STUN.
            let port = url.port == url.scheme.port ? ICEServerURL.Scheme.stun.port : url.port
            return try talk(url.host, port, isDatagram: true, url, nil, since: begin)
        case .turns:
            let failure = TunnelFailure()
            let tunnel: TLSTunnel
            do throws(RelayServerError) {
                tunnel = try TLSTunnel(to: url, authorities: server.authorities) { failure.note($0) }
            } catch {
                throw .way(error)
            }
            defer { tunnel.close() }
            do throws(ServerTestError) {
                let entrance = tunnel.place.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
                let host = tunnel.place.hasPrefix("[") ? "::1" : "127.0.0.1"
                return try talk(host, entrance, isDatagram: false, url, login, since: begin)
            } catch {
                if let reason = failure.reason { throw .way(reason) }
                throw error
            }
        case .stun, .turn:
            return try talk(url.host, url.port, isDatagram: url.transport == .udp, url, login, since: begin)
        }
    }

    private static func talk(
        _ host: String, _ port: UInt16, isDatagram: Bool, _ url: ICEServerURL,
        _ login: (username: String, password: String)?, since begin: Instant
    ) throws(ServerTestError) -> Answer {
        let line = try ServerLine(host, port, isDatagram: isDatagram, place: url.place)
        var exchange = ServerExchange(login: url.scheme.isRelay ? login : nil) { randomBytes(12) }
        var question = exchange.begin()
        while true {
            guard let step = try line.ask(question, { exchange.receive($0) }) else { throw .silent(url.place) }
            switch step {
            case .ask(let next): question = next
            case .done(let outcome, let farewell):
                if let farewell { line.send(farewell) }
                let milliseconds = Int((Instant.now - begin).wholeMilliseconds)
                switch outcome {
                case .answered(let seen, let relayed):
                    return Answer(seen: seen, relayed: relayed, milliseconds: milliseconds)
                case .loginRefused: throw .loginRefused(url.place)
                case .refused(let code, let reason): throw .refused(url.place, code, reason: reason)
                case .malformed: throw .malformed(url.place)
                }
            }
        }
    }
}
