import Cryptography
import Foundation
import LocalNetwork
import Logging
import PortMapping

/// Whether others in this network reach the relay inside the program.
public enum NetworkOpenness: Sendable, Equatable {
    /// Only this machine does.
    case closed
    /// They do, at this name, such as `desk.local`. While it is not announced they find it only where that name leads to it: `problem` says
    /// why it is not; nil while it is, or is about to be.
    case open(hostName: String, isAnnounced: Bool, problem: DiscoveryError?)
}

/// Opens the relay inside the program to this network and announces it, by choice.
actor NetworkPresence {
    nonisolated let embedded: EmbeddedRelay
    /// Its port in the router.
    nonisolated let port: PortOpening
    private let relays: NetworkRelays
    private let log = Logger(label: "im.parley.network")
    private var hostName: String?
    private var announcement: Announcement?
    private var problem: DiscoveryError?
    /// Announces the relay anew when Avahi comes or was restarted, as long as others may reach it.
    private var watch: Task<Void, Never>?

    init(
        _ embedded: EmbeddedRelay, _ relays: NetworkRelays,
        surroundings: PortMappingSurroundings = PortMappingSurroundings()
    ) {
        (self.embedded, self.relays) = (embedded, relays)
        port = PortOpening(embedded, surroundings)
        relays.setOwn(embedded.localAddress)
    }

    var openness: NetworkOpenness {
        guard let hostName else { return .closed }
        return .open(hostName: hostName, isAnnounced: announcement != nil, problem: problem)
    }

    /// This machine's name in its network: what Avahi says, else the system's.
    static func hostName(_ relays: NetworkRelays) async -> String {
        if let name = try? await relays.connected().hostName(), !name.isEmpty { return name }
        return ProcessInfo.processInfo.hostName.prefix { $0 != "." } + ".local"
    }

    /// Has others reach the relay under a name.
    /// - Throws: `AccountError.embeddedRelay`.
    func open(as hostName: String) async throws(AccountError) {
        try await embedded.setAudience(.thisNetwork(hostName: hostName))
        self.hostName = hostName
        watchAvahi()
        await announce()
    }

    /// Opens it as it was before the program's end; announcing it need not be waited for. What fails is logged: the person's calls
    /// through other relays must not hang on it.
    func reopen() async {
        let name = await Self.hostName(relays)
        do throws(AccountError) {
            try await embedded.setAudience(.thisNetwork(hostName: name))
            hostName = name
            watchAvahi()
            Task { await announce() }
        } catch {
            log.error("The relay can't be opened to this network: \(error)")
        }
    }

    /// Has nobody else reach it any more.
    /// - Throws: `AccountError.embeddedRelay`.
    func close() async throws(AccountError) {
        await port.close()
        await stopAnnouncing()
        try await embedded.setAudience(.thisMachine)
    }

    /// Ends with the relay. Announcements that are under way are taken back, and the router forgets the port.
    func end() async {
        await port.close()
        await stopAnnouncing()
    }

    private func watchAvahi() {
        watch?.cancel()
        watch = Task { [weak self, relays, log] in
            do throws(DiscoveryError) {
                for await _ in try await relays.arrivals() { await self?.announce() }
            } catch {
                log.notice("It is not known when Avahi comes: \(error)")
            }
        }
    }

    private func stopAnnouncing() async {
        hostName = nil
        watch?.cancel()
        watch = nil
        await withdraw()
    }

    private func withdraw() async {
        await announcement?.end()
        announcement = nil
    }

    private func announce() async {
        await withdraw()
        let address = embedded.address
        let fingerprint = Base64URL.encode(address.keyHash)
        do throws(DiscoveryError) {
            // The name tells which relay it is, and no more.
            let made = try await relays.connected().announce(
                "Parley relay \(fingerprint.prefix(8))", kind: .relay, port: address.effectivePort,
                text: ServiceText(["fp": fingerprint]))
            problem = nil
            // It may have been closed meanwhile, or another announcement have been made.
            if hostName == nil || announcement != nil { await made.end() } else { announcement = made }
        } catch {
            problem = error
            log.notice("The relay is not announced in this network: \(error)")
        }
    }
}
