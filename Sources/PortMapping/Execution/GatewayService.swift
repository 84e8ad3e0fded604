import CMiniUPnPc

/// What a router offers by UPnP: WANIPConnection or WANPPPConnection of an Internet gateway device. Every call waits for the router.
struct GatewayService {
    /// Milliseconds in which devices may say that they are there.
    private static let discoveryTime: Int32 = 2_000
    /// Devices that are looked at.
    private static let mostDevices = 16
    /// Ports that are tried outside besides the wanted one.
    private static let mostAttempts = 4

    /// Numbers of refusals (UPnP WANIPConnection:2 §2.5.23 and UPnP Device Architecture §3.2.2).
    private enum Refusal {
        static let notAuthorized: Int32 = 606
        static let wildcardNotPermitted: Int32 = 715
        static let conflict: Int32 = 718
        static let samePortsRequired: Int32 = 724
        static let onlyPermanentLeases: Int32 = 725
        static let noPortsAvailable: Int32 = 728
        static let conflictWithOther: Int32 = 729
    }

    private let control: String
    private let type: String

    /// Where devices that answer from this machine's network say that their descriptions are.
    static func descriptions(seenFrom client: IPv4Address) -> [String] {
        var error: Int32 = 0
        guard let devices = upnpDiscover(discoveryTime, client.description, nil, 0, 0, 2, &error) else { return [] }
        defer { freeUPNPDevlist(devices) }
        var found: [String] = []
        var next: UnsafeMutablePointer<UPNPDev>? = devices
        while let device = next, found.count < mostDevices {
            next = device.pointee.pNext
            if let place = device.pointee.descURL { found.append(String(cString: place)) }
        }
        return found
    }

    /// Reads a description; nil where it is not on this router, or offers no such thing there. Others of the network could say that they are
    /// the router, too.
    init?(description: String, of router: IPv4Address) {
        guard Self.is(description, at: router) else { return nil }
        var urls = UPNPUrls()
        var data = IGDdatas()
        var own = [CChar](repeating: 0, count: 64)
        guard UPNP_GetIGDFromUrl(description, &urls, &data, &own, Int32(own.count)) == 1 else { return nil }
        defer { FreeUPNPUrls(&urls) }
        guard let control = urls.controlURL.map({ String(cString: $0) }), Self.is(control, at: router) else {
            return nil
        }
        let type = withUnsafeBytes(of: data.first.servicetype) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard type.contains(":service:WANIPConnection:") || type.contains(":service:WANPPPConnection:") else {
            return nil
        }
        (self.control, self.type) = (control, type)
    }

    static func `is`(_ url: String, at router: IPv4Address) -> Bool {
        let (plain, withPort) = ("http://\(router)/", "http://\(router):")
        return url.utf8.count <= 1_024 && (url.hasPrefix(plain) || url.hasPrefix(withPort))
    }

    /// Has the router forward a port of TCP.
    func map(_ port: UInt16, _ client: IPv4Address, outside wanted: UInt16, lifetime: UInt32) -> UPnPOutcome {
        // "255.255.255.255" and its end are what the library writes at most.
        var text = [CChar](repeating: 0, count: 64)
        guard UPNP_GetExternalIPAddress(control, type, &text) == 0 else { return .refused(.noExternalAddress) }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        guard let address = IPv4Address(parsing: String(decoding: bytes, as: UTF8.self)), !address.isUnspecified else {
            return .refused(.noExternalAddress)
        }
        var (external, seconds) = (wanted, lifetime)
        var refusal = Refusal.conflict
        for _ in 0...Self.mostAttempts {
            refusal = add(port, client, external, seconds)
            switch refusal {
            case 0: return .mapped(address, port: external, lifetime: seconds)
            case Refusal.onlyPermanentLeases where seconds != 0: seconds = 0
            // Somebody else has it. RFC 6335 §6: ports for whoever needs one.
            case Refusal.conflict, Refusal.conflictWithOther: external = .random(in: 49_152...65_535)
            default: return outcome(of: refusal)
            }
        }
        return outcome(of: refusal)
    }

    /// Has it forward the port no more. That it did not is nothing anybody could change.
    func remove(_ external: UInt16) { UPNP_DeletePortMapping(control, type, "\(external)", "TCP", nil) }

    private func add(_ port: UInt16, _ client: IPv4Address, _ external: UInt16, _ seconds: UInt32) -> Int32 {
        UPNP_AddPortMapping(
            control, type, "\(external)", "\(port)", client.description, "Parley", "TCP", nil, "\(seconds)")
    }

    private func outcome(of refusal: Int32) -> UPnPOutcome {
        switch refusal {
        case Refusal.notAuthorized: .refused(.notAuthorized)
        case Refusal.conflict, Refusal.conflictWithOther, Refusal.samePortsRequired: .refused(.portTaken)
        case Refusal.noPortsAvailable: .refused(.noResources)
        // The library's own, such as that the router did not answer.
        case ..<0: .absent
        default: .refused(.other(.upnp, Int(refusal)))
        }
    }
}
