import BaseKit
import Foundation
import MediaRules
import SMP
import SMPTransport

/// How the calls of an account find their way: STUN and TURN servers, and whether they may go only through the latter.
public struct CallServers: Sendable, Equatable, Codable {
    /// The servers.
    public var servers: [ICEServer]
    /// Whether calls go only through TURN servers, so that contacts don't learn this machine's addresses.
    public var isRelayOnly: Bool
    /// Whether the relays that the person has chosen are asked by STUN, in a call, which address this machine has, where no STUN
    /// server is set. They learn when there is a call; they see the address anyway.
    public var asksRelays: Bool

    /// No servers: calls reach as far as addresses of the machine do.
    public init(servers: [ICEServer] = [], isRelayOnly: Bool = false, asksRelays: Bool = false) {
        self.servers = servers
        self.isRelayOnly = isRelayOnly
        self.asksRelays = asksRelays
    }

    /// As it was kept, also by a Parley that knew less.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        servers = try values.decode([ICEServer].self, forKey: .servers)
        isRelayOnly = try values.decode(Bool.self, forKey: .isRelayOnly)
        asksRelays = try values.decodeIfPresent(Bool.self, forKey: .asksRelays) ?? false
    }

    /// Most servers; each costs time and packets in every call.
    public static let maximumCount = 8
}

/// The present ``CallServers``, for whoever opens a call's media.
final class CallServersBox: Sendable {
    private let content = Lock((servers: CallServers(), relays: [RelayAddress]()))

    var value: CallServers {
        get { content.withLock { $0.servers } }
        set { content.withLock { $0.servers = newValue } }
    }

    /// The relays that the person has chosen.
    func setRelays(_ relays: [RelayAddress]) { content.withLock { $0.relays = relays } }

    /// What a call uses that begins now.
    var forCall: CallServers { content.withLock { $0.servers.joined(by: $0.relays) } }
}

extension CallServers {
    /// Relays that are asked in one call at most.
    private static let mostRelays = 2

    /// With the relays that tell addresses, where they are to be asked. One of this machine could tell none that is of use, and an
    /// onion service sees none.
    func joined(by relays: [RelayAddress]) -> CallServers {
        guard asksRelays, !isRelayOnly, servers.allSatisfy(\.isRelay) else { return self }
        let asked = relays.filter { $0.reach > .thisMachine }.compactMap(\.stunServer).prefix(Self.mostRelays)
        var joined = self
        joined.servers += asked.prefix(max(0, Self.maximumCount - servers.count))
        return joined
    }
}

extension RelayAddress {
    /// The relay as a STUN server, at the port of its TCP; nil where none of its hosts can be asked.
    fileprivate var stunServer: ICEServer? {
        hosts.lazy.filter { !$0.hasSuffix(".onion") && !$0.hasSuffix(".local") }
            .map { ICEServer(url: "stun:\($0.contains(":") ? "[\($0)]" : $0):\(effectivePort)") }
            .first { (try? $0.check()) != nil }
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
