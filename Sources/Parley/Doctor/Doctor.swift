import BaseKit
import Keyring
import Media
import MediaRules
import SMP

/// Looks at all that calls need on this machine and around it. It opens no device, asks the person for nothing and leaves
/// nothing behind.
public struct Doctor: Sendable {
    /// Relays to try, as `smp://FINGERPRINT@HOST:PORT`.
    public var relays: [String] = []
    /// STUN and TURN servers to try, and how calls are to use them.
    public var servers = CallServers()
    /// A server for calls of more than four people to try; nil: none.
    public var callServer: GroupServer?
    /// How the settings fare of the profile that they come from, as ``ProfilePlaces`` found it; nil without a profile.
    public var settings: Finding?

    var keyring = SecretService()

    /// Without relays and servers.
    public init() {}

    /// Makes all checks, one after the other, in the order of `Finding.Check`.
    public func findings() -> AsyncStream<Finding> {
        let (stream, continuation) = AsyncStream<Finding>.makeStream()
        let task = Task {
            for check in Finding.Check.allCases where !Task.isCancelled {
                for finding in await findings(of: check) { continuation.yield(finding) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    func findings(of check: Finding.Check) async -> [Finding] {
        switch check {
        case .elements: elements()
        case .devices: await devices()
        case .portal: await portal()
        case .keyring: [await keyringFinding()]
        case .settings: [settings ?? Self.noSettings]
        case .relay: await relayFindings()
        case .server: await serverFindings()
        case .callServer: [await callServerFinding()]
        case .clock: [Finding(clock: .now())]
        }
    }

    private func devices() async -> [Finding] {
        do {
            let devices = try await DeviceMonitor.shared.devices()
            return DeviceKind.allCases.map { Finding(devices, $0) }
        } catch {
            return [Finding(.devices, .skipped, .devicesUnknown)]
        }
    }

    private func portal() async -> [Finding] {
        var findings: [Finding] = []
        for offer in DesktopOffer.allCases {
            do {
                let version = try await offer.version()
                findings.append(Finding(.portal, of: offer.rawValue, .ok, .offered(offer, version: version)))
            } catch {
                findings.append(Finding(.portal, of: offer.rawValue, .warning, .notOffered(offer, Cause(error))))
            }
        }
        return findings
    }

    private func keyringFinding() async -> Finding {
        do {
            try await keyring.check()
            return Finding(.keyring, .ok, .keyring)
        } catch let error as KeyringError {
            return Finding(.keyring, .warning, .noKeyring(.service(error)))
        } catch {
            return Finding(.keyring, .warning, .noKeyring(.other(Cause(error))))
        }
    }

    private static let noSettings = Finding(.settings, .skipped, .noProfile)

    private func relayFindings() async -> [Finding] {
        guard !relays.isEmpty else { return [Finding(.relay, .skipped, .noRelay)] }
        var findings: [Finding] = []
        for relay in relays { findings.append(await RelayCheck(relay).finding()) }
        return findings
    }

    private func serverFindings() async -> [Finding] {
        guard !servers.servers.isEmpty else { return [Finding(.server, .skipped, .noServer)] }
        var findings: [Finding] = []
        for server in servers.servers { findings.append(await Finding(server)) }
        return findings
    }

    private func callServerFinding() async -> Finding {
        guard let callServer else { return Finding(.callServer, .skipped, .noCallServer) }
        let addresses = relays.compactMap { try? RelayAddress(parsing: $0) }
        return await CallServerCheck(server: callServer, servers: servers.joined(by: addresses)).finding()
    }
}
