import CGStreamer
import GLibKit

/// GStreamer's device providers for what calls need, each started once and never stopped.
///
/// Not by `GstDeviceMonitor`: stopping it corrupts memory in GStreamer 1.22 while PipeWire 0.3.65 is connected, and one provider
/// that can't be started yet could be tried again only by stopping all.
///
/// Unchecked: providers lock themselves; the list is changed by `start` only, which its owner calls on one queue.
final class DeviceProviders: @unchecked Sendable {
    static let names = ["v4l2deviceprovider", "pulsedeviceprovider", "pipewiredeviceprovider"]

    private let onChange: @Sendable () -> Void
    private var running: [String: Object] = [:]

    /// Starts nothing yet. `onChange` is called on any thread when a device came or went.
    init(onChange: @escaping @Sendable () -> Void) { self.onChange = onChange }

    /// Starts those that do not run: their server may be there by now. Blocks for about 20 ms. Gives whether one began to run.
    func start() -> Bool {
        let waiting = Self.names.filter { running[$0] == nil }
        for name in waiting { running[name] = makeRunning(name) }
        return waiting.contains { running[$0] != nil }
    }

    private func makeRunning(_ name: String) -> Object? {
        guard let made = gst_device_provider_factory_get_by_name(name) else { return nil }
        let provider = Object(adopting: made)
        let bus = gst_device_provider_get_bus(provider.pointer())
        defer { gst_object_unref(bus) }
        gst_bus_set_sync_handler(
            bus,
            { _, message, data in
                if let message { gst_message_unref(message) }
                if let data { Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().body() }
                return GST_BUS_DROP
            }, Unmanaged.passRetained(Handler(onChange)).toOpaque(),
            { data in if let data { Unmanaged<Handler>.fromOpaque(data).release() } })
        guard gst_device_provider_start(provider.pointer()) != 0 else {
            gst_bus_set_sync_handler(bus, nil, nil, nil)
            return nil
        }
        return provider
    }

    /// What those that run know now.
    var devices: [Object] {
        Self.names.compactMap { running[$0] }.flatMap { provider in
            var devices: [Object] = []
            let list = gst_device_provider_get_devices(provider.pointer())
            var next = list
            while let entry = next {
                if let device = entry.pointee.data { devices.append(Object(adopting: device)) }
                next = entry.pointee.next
            }
            g_list_free(list)
            return devices
        }
    }

    private final class Handler: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
