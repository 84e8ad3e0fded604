import Foundation
import MediaRules
import Synchronization

/// How the calls of an account find their way: STUN and TURN servers, and whether they may go only through the latter.
public struct CallServers: Sendable, Equatable, Codable {
    /// The servers.
    public var servers: [ICEServer]
    /// Whether calls go only through TURN servers, so that contacts don't learn this machine's addresses.
    public var isRelayOnly: Bool

    /// No servers: calls reach as far as addresses of the machine do.
    public init(servers: [ICEServer] = [], isRelayOnly: Bool = false) {
        self.servers = servers
        self.isRelayOnly = isRelayOnly
    }

    /// Most servers; each costs time and packets in every call.
    public static let maximumCount = 8
}

/// The present ``CallServers``, for whoever opens a call's media.
final class CallServersBox: Sendable {
    private let content = Mutex(CallServers())

    var value: CallServers {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}

extension CallServers {
    /// Reads what `encoded()` wrote.
    init(decoding bytes: [UInt8]) throws(AccountError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            throw .store(.serversDamaged)
        }
    }

    func encoded() throws(AccountError) -> [UInt8] {
        do {
            return [UInt8](try JSONEncoder().encode(self))
        } catch {
            throw .store(.serversNotKept)
        }
    }

    /// - Throws: `AccountError.callServer`.
    func check() throws(AccountError) {
        guard servers.count <= Self.maximumCount else { throw .tooManyCallServers }
        do {
            for server in servers { try server.check() }
        } catch {
            throw .callServer(error)
        }
    }
}
