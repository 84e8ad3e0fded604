import Portal

/// The machine's Avahi, which announces and finds services in the local network by DNS-SD (org.freedesktop.Avahi over the system bus).
///
/// What others in the network say of themselves can be anything: it is read in bounds, and authenticates nobody.
package final class Avahi: Sendable {
    private static let name = "org.freedesktop.Avahi"
    /// AVAHI_IF_UNSPEC and AVAHI_PROTO_UNSPEC.
    private static let any: Int32 = -1
    /// AVAHI_PROTO_INET and AVAHI_PROTO_INET6.
    private static let protocols: [Int32] = [0, 1]
    /// AVAHI_LOOKUP_RESULT_LOCAL and AVAHI_LOOKUP_RESULT_OUR_OWN.
    private static let isOwn = 8 | 16
    private static let collision = name + ".CollisionError"
    /// ms. Avahi gives a look-up up after 5 s.
    private static let patience: Int32 = 8_000

    private let bus: Bus
    private let owner: String

    private init(bus: Bus, owner: String) { (self.bus, self.owner) = (bus, owner) }

    /// Finds it.
    /// - Parameter bus: the machine's bus; nil to connect to it.
    /// - Throws: `DiscoveryError`.
    package static func connect(bus: Bus? = nil) async throws(DiscoveryError) -> Avahi {
        do throws(PortalError) {
            let bus = if let bus { bus } else { try await Bus.system() }
            // Where systemd starts it by its socket, nobody has the name before.
            if try await bus.owner(of: name) == nil { try await bus.start(name) }
            guard let owner = try await bus.owner(of: name) else { throw PortalError.noPortal }
            return Avahi(bus: bus, owner: owner)
        } catch {
            throw DiscoveryError(error)
        }
    }

    /// Tells each time Avahi comes, also after it was restarted: what it was asked to announce is forgotten then. It says nothing of one that
    /// is there already.
    /// - Parameter bus: the machine's bus; nil to connect to it.
    /// - Throws: `DiscoveryError`.
    package static func arrivals(bus: Bus? = nil) async throws(DiscoveryError) -> AsyncStream<Void> {
        do throws(PortalError) {
            let bus = if let bus { bus } else { try await Bus.system() }
            let changes = try await bus.ownerChanges(of: name)
            let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let task = Task {
                for await change in changes where change.values.last?.string?.isEmpty == false { continuation.yield() }
                continuation.finish()
            }
            continuation.onTermination = { _ in
                task.cancel()
                withExtendedLifetime(bus) {}
            }
            return arrivals
        } catch {
            throw DiscoveryError(error)
        }
    }

    /// The machine's name in the local network, such as `desk.local`. It changes when somebody else there has the same.
    /// - Throws: `DiscoveryError`.
    package func hostName() async throws(DiscoveryError) -> String {
        guard let name = try await call("GetHostNameFqdn").first?.string else { throw .unexpectedAnswer }
        return name
    }

    /// The addresses of a name in the local network, those of IPv4 first; empty when nobody has it.
    package func addresses(ofHost host: String) async -> [String] {
        // Nobody's silence holds the other up.
        async let first = address(ofHost: host, Self.protocols[0])
        async let second = address(ofHost: host, Self.protocols[1])
        return [await first, await second].compactMap { $0 }
    }

    private func address(ofHost host: String, _ number: Int32) async -> String? {
        let arguments: [BusValue] = [.int32(Self.any), .int32(Self.any), .string(host), .int32(number), .uint32(0)]
        guard let values = try? await call("ResolveHostName", arguments), values.count >= 5 else { return nil }
        return Self.address(values[4], on: values[0])
    }

    /// Announces a service on this machine until the announcement goes.
    /// - Parameter name: at most 63 bytes; if somebody has it already, a number is put behind it.
    /// - Throws: `DiscoveryError`.
    package func announce(
        _ name: String, kind: ServiceKind, port: UInt16, text: ServiceText
    ) async throws(DiscoveryError) -> Announcement {
        let (states, group) = try await object("EntryGroupNew", interface: "EntryGroup", [])
        var wanted = Self.shortened(name)
        for _ in 0..<8 {
            do throws(DiscoveryError) {
                try await addService(wanted, kind, port, text, to: group)
                try await group.call("Commit")
                let isUp = try await isEstablished(states, group)
                if isUp { return Announcement(group, name: wanted) }
            } catch {
                guard error == .failed(Self.collision) else {
                    await group.free()
                    throw error
                }
            }
            try await group.call("Reset")
            guard let other = try await call("GetAlternativeServiceName", [.string(wanted)]).first?.string else {
                break
            }
            wanted = other
        }
        await group.free()
        throw .failed(Self.collision)
    }

    /// Services of a kind that are there, and come and go; ends with Avahi. Nothing is asked of them.
    /// - Throws: `DiscoveryError`.
    package func browse(_ kind: ServiceKind) async throws(DiscoveryError) -> AsyncStream<ServiceNews> {
        let (signals, browser) = try await object(
            "ServiceBrowserNew", interface: "ServiceBrowser",
            [.int32(Self.any), .int32(Self.any), .string(kind.text), .string("local"), .uint32(0)])
        let (stream, continuation) = AsyncStream.makeStream(
            of: ServiceNews.self, bufferingPolicy: .bufferingNewest(256))
        let task = Task {
            for await signal in signals where signal.path == browser.path {
                switch signal.name {
                case "ItemNew": if let name = Self.service(signal, kind) { continuation.yield(.found(name)) }
                case "ItemRemove": if let name = Self.service(signal, kind) { continuation.yield(.lost(name)) }
                case "AllForNow": continuation.yield(.upToDate)
                default: break
                }
                if signal.name == "Failure" { break }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in
            task.cancel()
            Task { await browser.free() }
        }
        return stream
    }

    /// Where a service is now.
    /// - Throws: `DiscoveryError`; `.failed` when it is gone.
    package func resolve(_ service: ServiceName) async throws(DiscoveryError) -> ServicePlace {
        let values = try await call(
            "ResolveService",
            [
                .int32(service.interface), .int32(service.networkProtocol), .string(service.name),
                .string(service.kind.text), .string(service.domain), .int32(Self.any), .uint32(0),
            ])
        guard values.count >= 10, let host = values[5].string, let address = Self.address(values[7], on: values[0]),
            let port = values[8].integer.flatMap(UInt16.init(exactly:)), port > 0
        else { throw .unexpectedAnswer }
        let strings = (values[9].members ?? []).map { value -> [UInt8] in
            if case .bytes(let bytes) = value { bytes } else { [] }
        }
        return ServicePlace(host: host, address: address, port: port, text: ServiceText(decoding: strings))
    }

    private func addService(
        _ name: String, _ kind: ServiceKind, _ port: UInt16, _ text: ServiceText, to group: AvahiObject
    ) async throws(DiscoveryError) {
        try await group.call(
            "AddService",
            [
                .int32(Self.any), .int32(Self.any), .uint32(0), .string(name), .string(kind.text), .string(""),
                .string(""), .uint16(port), .array(text.encoded().map { .bytes($0) }, of: "ay"),
            ])
    }

    /// Waits for the end of the announcement's beginning: others may have the name.
    private func isEstablished(
        _ states: AsyncStream<BusSignal>, _ group: AvahiObject
    ) async throws(DiscoveryError) -> Bool {
        // AVAHI_ENTRY_GROUP_ESTABLISHED, _COLLISION, _FAILURE.
        let (established, collision, failure) = (2, 3, 4)
        for await signal in states where signal.path == group.path && signal.name == "StateChanged" {
            switch signal.values.first?.integer {
            case established: return true
            case collision: return false
            case failure: throw .failed(signal.values.dropFirst().first?.string ?? "")
            default: break
            }
        }
        throw .noService
    }

    /// Has Avahi make an object, and hears of it from before it is there.
    private func object(
        _ method: String, interface: String, _ arguments: [BusValue]
    ) async throws(DiscoveryError) -> (AsyncStream<BusSignal>, AvahiObject) {
        let signals: AsyncStream<BusSignal>
        do throws(PortalError) {
            signals = try await bus.signals(BusSignalFilter(sender: owner, interface: Self.name + "." + interface))
        } catch {
            throw DiscoveryError(error)
        }
        guard let path = try await call(method, arguments).first?.string else { throw .unexpectedAnswer }
        return (signals, AvahiObject(bus: bus, owner: owner, path: path, interface: Self.name + "." + interface))
    }

    @discardableResult
    private func call(_ method: String, _ arguments: [BusValue] = []) async throws(DiscoveryError) -> [BusValue] {
        try await AvahiObject(bus: bus, owner: owner, path: "/", interface: Self.name + ".Server")
            .call(method, arguments, timeout: Self.patience)
    }

    private static func service(_ signal: BusSignal, _ kind: ServiceKind) -> ServiceName? {
        let values = signal.values
        guard values.count >= 6, let interface = values[0].integer.flatMap(Int32.init(exactly:)),
            let number = values[1].integer.flatMap(Int32.init(exactly:)), let name = values[2].string,
            let domain = values[4].string, let flags = values[5].integer
        else { return nil }
        return ServiceName(
            interface: interface, networkProtocol: number, name: name, kind: kind, domain: domain,
            isOwn: flags & isOwn != 0)
    }

    /// An address, with its interface where it is of a link alone.
    private static func address(_ value: BusValue, on interface: BusValue) -> String? {
        guard let address = value.string, !address.isEmpty else { return nil }
        guard address.lowercased().hasPrefix("fe8"), let number = interface.integer, number > 0 else { return address }
        return "\(address)%\(number)"
    }

    private static func shortened(_ name: String) -> String {
        var short = name
        while short.utf8.count > 63 { short.removeLast() }
        return short.isEmpty ? "Parley" : short
    }
}

/// A service of this machine that is announced until this goes or is ended.
package final class Announcement: Sendable {
    /// The name it has, which may be another one than was wanted.
    package let name: String
    private let group: AvahiObject

    init(_ group: AvahiObject, name: String) { (self.group, self.name) = (group, name) }

    /// Ends it, and waits until others are told.
    package func end() async { await group.free() }

    deinit { Task { [group] in await group.free() } }
}

/// An object of Avahi's.
final class AvahiObject: Sendable {
    let path: String
    private let bus: Bus
    private let owner: String
    private let interface: String

    init(bus: Bus, owner: String, path: String, interface: String) {
        (self.bus, self.owner, self.path, self.interface) = (bus, owner, path, interface)
    }

    @discardableResult
    func call(
        _ method: String, _ arguments: [BusValue] = [], timeout: Int32? = nil
    ) async throws(DiscoveryError) -> [BusValue] {
        do throws(PortalError) {
            let method = BusMethod(destination: owner, path: path, interface: interface, name: method)
            return try await bus.call(method, arguments, timeout: timeout).values
        } catch {
            throw DiscoveryError(error)
        }
    }

    /// Has Avahi forget it; for a second time that is nothing.
    func free() async { _ = try? await call("Free") }
}
