import CGStreamer
import GLibKit
import Synchronization

/// One of GStreamer's device providers, running.
///
/// Each is an object of its own, not the one that GStreamer shares out: that of PipeWire can only be replaced (see
/// ``DeviceProviders``).
///
/// Unchecked: providers lock themselves, and nothing else is stored.
final class DeviceProvider: @unchecked Sendable {
    private let native: Object
    private let gone = GoneDevices()

    /// Makes and starts it; nil when it is not installed or its server does not answer. Blocks for about 20 ms.
    /// `descriptor` is the connection of PipeWire's. `onChange` is called on any thread when a device came or went.
    init?(_ name: String, descriptor: Int32? = nil, onChange: @escaping Handler) {
        guard let factory = gst_device_provider_factory_find(name) else { return nil }
        defer { gst_object_unref(UnsafeMutableRawPointer(factory)) }
        guard let loaded = gst_plugin_feature_load(factory) else { return nil }
        defer { gst_object_unref(UnsafeMutableRawPointer(loaded)) }
        let type = gst_device_provider_factory_get_device_provider_type(loaded)
        guard type != 0 else { return nil }
        native = Object(type: type)
        if let descriptor { native.set("fd", descriptor) }
        let bus = gst_device_provider_get_bus(native.pointer())
        defer { gst_object_unref(bus) }
        gst_bus_set_sync_handler(
            bus,
            { _, message, data in
                guard let message else { return GST_BUS_DROP }
                defer { gst_message_unref(message) }
                guard let data else { return GST_BUS_DROP }
                let listener = CallbackData.value(Listener.self, at: data)
                listener.gone.note(message)
                listener.onChange()
                return GST_BUS_DROP
            }, CallbackData.keeping(Listener(gone: gone, onChange: onChange)), CallbackData.release)
        guard gst_device_provider_start(native.pointer()) != 0 else {
            gst_bus_set_sync_handler(bus, nil, nil, nil)
            return nil
        }
    }

    /// Stops it. Blocks for a moment. Not for PipeWire's.
    func stop() { gst_device_provider_stop(native.pointer()) }

    /// What it knows now.
    var devices: [Object] {
        var devices: [Object] = []
        let list = gst_device_provider_get_devices(native.pointer())
        var next = list
        while let entry = next {
            if let device = entry.pointee.data { devices.append(Object(adopting: device)) }
            next = entry.pointee.next
        }
        g_list_free(list)
        let serials = devices.map(GoneDevices.serial)
        let goneOnes = gone.find(among: serials.compactMap(\.self))
        return zip(devices, serials).compactMap { device, serial in
            if let serial, goneOnes.contains(serial) { nil } else { device }
        }
    }

    typealias Handler = @Sendable () -> Void

    private struct Listener: Sendable {
        let gone: GoneDevices
        let onChange: Handler
    }
}

/// Which of a provider's devices it has said to be gone.
///
/// PipeWire's own (1.4) puts another object in its list when a device becomes the default one, and takes the first one out when the
/// device goes: the other one would be listed for ever. PipeWire gives no serial twice.
private final class GoneDevices: Sendable {
    private let serials = Mutex<Set<String>>([])

    /// Looks at what the provider says.
    func note(_ message: UnsafeMutablePointer<GstMessage>) {
        var device: UnsafeMutablePointer<GstDevice>?
        switch message.pointee.type {
        case GST_MESSAGE_DEVICE_ADDED: gst_message_parse_device_added(message, &device)
        case GST_MESSAGE_DEVICE_REMOVED: gst_message_parse_device_removed(message, &device)
        default: return
        }
        guard let device, let serial = Self.serial(of: Object(adopting: device)) else { return }
        let hasCome = message.pointee.type == GST_MESSAGE_DEVICE_ADDED
        serials.withLock { serials in
            if hasCome { serials.remove(serial) } else { serials.insert(serial) }
        }
    }

    /// Those that are gone and still listed; the others are forgotten.
    func find(among listed: [String]) -> Set<String> {
        serials.withLock { serials in
            serials.formIntersection(listed)
            return serials
        }
    }

    /// What PipeWire tells a device by.
    static func serial(of device: Object) -> String? {
        guard let properties = gst_device_get_properties(device.pointer()) else { return nil }
        defer { gst_structure_free(properties) }
        return gst_structure_get_string(properties, "object.serial").map { String(cString: $0) }
    }
}
