import BaseKit

@testable import PortMapping

/// A router that speaks PCP, NAT-PMP or both, as a value: a datagram goes in, at most one comes out.
struct PretendedRouter: Sendable {
    var speaksPCP = true
    var speaksNATPMP = true
    var address = "198.51.100.7"
    /// What it maps a port to, if not to the same one.
    var port: UInt16?
    /// What it answers to a request for a mapping, if not success; and for how long, in seconds.
    var pcpResult = PCPResult.success
    var natPMPResult = NATPMPResult.success
    var errorLifetime: UInt32 = 30
    var mostLifetime: UInt32 = 7_200
    /// Since when it has known its mappings.
    var began = Instant(sinceStart: .zero)
    /// Internal ports and what they are outside.
    private(set) var mappings: [UInt16: UInt16] = [:]
    private(set) var requests: [[UInt8]] = []

    /// Forgets what it has mapped, as after a restart.
    mutating func restart(at now: Instant) { (mappings, began) = ([:], now) }

    mutating func answer(_ bytes: [UInt8], at now: Instant) -> [UInt8]? {
        requests.append(bytes)
        let epoch = UInt32(clamping: Int((now - began) / .seconds(1)))
        if speaksPCP, bytes.first == PCPRequest.version {
            return PCPRequest(decoding: bytes).map { answer($0, epoch).encoded() }
        }
        guard speaksNATPMP else { return nil }
        guard let request = NATPMPRequest(decoding: bytes) else {
            // RFC 6886 §3.5.
            return NATPMPResponse(result: 1, operation: bytes.count > 1 ? bytes[1] : 0, epoch: epoch).encoded()
        }
        return answer(request, epoch).encoded()
    }

    private mutating func answer(_ request: PCPRequest, _ epoch: UInt32) -> PCPResponse {
        guard case .map(var mapping, _, let lifetime) = request else {
            return PCPResponse(.announce, result: 0, lifetime: 0, epoch: epoch)
        }
        guard pcpResult == .success else {
            return PCPResponse(
                .map, result: pcpResult.rawValue, lifetime: errorLifetime, epoch: epoch, mapping: mapping)
        }
        mapping.externalPort = port ?? (mapping.externalPort == 0 ? mapping.internalPort : mapping.externalPort)
        mapping.externalAddress = IPv4Address(parsing: address) ?? .unspecified
        mappings[mapping.internalPort] = lifetime == 0 ? nil : mapping.externalPort
        return PCPResponse(.map, result: 0, lifetime: min(lifetime, mostLifetime), epoch: epoch, mapping: mapping)
    }

    private mutating func answer(_ request: NATPMPRequest, _ epoch: UInt32) -> NATPMPResponse {
        let operation: NATPMPOperation = request == .address ? .address : .mapTCP
        guard natPMPResult == .success else {
            return NATPMPResponse(result: natPMPResult.rawValue, operation: operation.rawValue, epoch: epoch)
        }
        switch request {
        case .address:
            let address = IPv4Address(parsing: address) ?? .unspecified
            return NATPMPResponse(result: 0, operation: operation.rawValue, epoch: epoch, content: .address(address))
        case .map(let internalPort, let externalPort, let lifetime):
            let given = port ?? (externalPort == 0 ? internalPort : externalPort)
            mappings[internalPort] = lifetime == 0 ? nil : given
            return NATPMPResponse(
                result: 0, operation: operation.rawValue, epoch: epoch,
                content: .mapping(
                    internalPort: internalPort, externalPort: lifetime == 0 ? 0 : given,
                    lifetime: min(lifetime, mostLifetime)))
        }
    }
}
