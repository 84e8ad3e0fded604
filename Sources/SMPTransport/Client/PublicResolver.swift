import BaseKit
import Glibc
import NIOCore
import NIOPosix
import SMPSession

/// Looks names up and leaves out addresses of this machine and of private networks, so that they are not even dialled:
/// whether somebody answers there is nobody's business outside.
final class PublicResolver: Resolver, Sendable {
    private struct Answer {
        let v4: EventLoopPromise<[SocketAddress]>
        let v6: EventLoopPromise<[SocketAddress]>
        var hasBegun = false
    }

    /// Look-ups block, some for long: they have threads of their own, and the others wait for them.
    private static let threads: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 16)
        pool.start()
        return pool
    }()

    private let answer: Lock<Answer>

    init(eventLoop: any EventLoop) {
        answer = Lock(
            Answer(v4: eventLoop.makePromise(), v6: eventLoop.makePromise()))
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        begin(host, port).v4.futureResult
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        begin(host, port).v6.futureResult
    }

    func cancelQueries() {}

    /// One look-up answers both questions.
    private func begin(_ host: String, _ port: Int) -> Answer {
        let (answer, isFirst) = answer.withLock { answer in
            defer { answer.hasBegun = true }
            return (answer, !answer.hasBegun)
        }
        guard isFirst else { return answer }
        Self.threads.submit { state in
            guard case .active = state else {
                answer.v4.fail(TransportError.noReachableHost)
                answer.v6.fail(TransportError.noReachableHost)
                return
            }
            let found = Self.addresses(of: host, port)
            let kept = found.filter { !LocalNetworkGate.isLocal($0) }
            guard !kept.isEmpty else {
                answer.v4.fail(TransportError.noReachableHost)
                answer.v6.fail(TransportError.noReachableHost)
                return
            }
            answer.v4.succeed(kept.filter { $0.protocol == .inet })
            answer.v6.succeed(kept.filter { $0.protocol == .inet6 })
        }
        return answer
    }

    /// All addresses (getaddrinfo(3)); none for an unknown name.
    private static func addresses(of host: String, _ port: Int) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_protocol = Int32(IPPROTO_TCP)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let list else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list) { $0.pointee.ai_next }.compactMap { entry in
            guard let address = entry.pointee.ai_addr else { return nil }
            switch entry.pointee.ai_family {
            case AF_INET:
                return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) }
            case AF_INET6:
                return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) }
            default: return nil
            }
        }
    }
}
