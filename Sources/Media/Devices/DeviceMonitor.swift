import BaseKit
import Dispatch
import GLibKit
import MediaRules

/// Knows the machine's cameras, microphones and loudspeakers and tells when some come or go. Opens none.
///
/// It begins to watch when it is first asked, for as long as the process lives; asking again only reads.
public final class DeviceMonitor: Sendable {
    /// The process's own. Others are for tests: what a monitor has begun lives as long as the process.
    public static let shared = DeviceMonitor()

    private struct State {
        var devices = MediaDevices()
        var found: [DeviceKind: [FoundDevice]] = [:]
        var providers: DeviceProviders?
        /// How often a server had been started anew when the list was read last.
        var restarts = 0
    }

    private let state = Lock(State())
    private let news = Broadcaster<MediaDevices>()
    private let restarts = Broadcaster<Int>()
    /// Where the list is read, one time after the other.
    private let queue = DispatchQueue(label: "im.parley.devices")

    init() {}

    /// The devices there are now. Throws ``MediaError`` when GStreamer can't be started.
    public func devices() async throws -> MediaDevices {
        try await look()
        return state.withLock { $0.devices }
    }

    /// The devices there are now, then each time they have changed. Throws ``MediaError`` when GStreamer can't be started.
    public func changes() async throws -> AsyncStream<MediaDevices> {
        try await look()
        return state.withLock { news.stream(beginning: [$0.devices]) }
    }

    /// Tells each time that a server of devices was started anew, also where it came back with the same devices so soon that the list did not
    /// change. Throws ``MediaError`` when GStreamer can't be started.
    func serverRestarts() async throws -> AsyncStream<Int> {
        try await look()
        return restarts.stream()
    }

    /// The devices of one kind with what opens them. Blocks until the first look is over.
    func found(_ kind: DeviceKind) -> [FoundDevice] {
        queue.sync { start() }
        return state.withLock { $0.found[kind] ?? [] }
    }

    private func look() async throws {
        try MediaRuntime.start()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async { [self] in
                start()
                continuation.resume()
            }
        }
    }

    /// Starts what does not run yet.
    private func start() {
        let providers = state.withLock { state in
            let providers = state.providers ?? DeviceProviders(queue: queue) { [weak self] in self?.lookSoon() }
            state.providers = providers
            return providers
        }
        if providers.start() { read(providers) }
    }

    private func lookSoon() {
        queue.async { [self] in
            if let providers = state.withLock({ $0.providers }) { read(providers) }
        }
    }

    /// Reads the list, and tells when it is another one.
    private func read(_ providers: DeviceProviders) {
        let known = providers.devices
        let catalogue = DeviceCatalogue(known.map(\.record))
        let found = Dictionary(
            uniqueKeysWithValues: DeviceKind.allCases.map { kind in
                (kind, catalogue[kind].map { FoundDevice($0.device, known[$0.index]) })
            })
        let devices = catalogue.devices
        let old = state.withLock { state in
            defer { (state.found, state.devices, state.restarts) = (found, devices, providers.restarts) }
            if state.devices != devices { news.send(devices) }
            if state.restarts != providers.restarts { restarts.send(providers.restarts) }
            return state.found
        }
        withExtendedLifetime(old) {}
    }
}
