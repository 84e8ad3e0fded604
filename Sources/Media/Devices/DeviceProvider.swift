import CGStreamer
import GLibKit

/// GStreamer's device provider for V4L2, running.
///
/// Each is an object of its own, not the one that GStreamer shares out: nobody else can stop it.
///
/// Unchecked: providers lock themselves, and nothing else is stored.
final class DeviceProvider: @unchecked Sendable {
    private let native: Object

    /// Makes and starts it; nil when it is not installed or its server does not answer. Blocks for about 20 ms.
    /// `onChange` is called on any thread when a device came or went.
    init?(_ name: String, onChange: @escaping @Sendable () -> Void) {
        guard let factory = gst_device_provider_factory_find(name) else { return nil }
        defer { gst_object_unref(UnsafeMutableRawPointer(factory)) }
        guard let loaded = gst_plugin_feature_load(factory) else { return nil }
        defer { gst_object_unref(UnsafeMutableRawPointer(loaded)) }
        let type = gst_device_provider_factory_get_device_provider_type(loaded)
        guard type != 0 else { return nil }
        native = Object(type: type)
        let bus = gst_device_provider_get_bus(native.pointer())
        defer { gst_object_unref(bus) }
        gst_bus_set_sync_handler(
            bus,
            { _, message, data in
                guard let message else { return GST_BUS_DROP }
                defer { gst_message_unref(message) }
                guard let data else { return GST_BUS_DROP }
                CallbackData.value((@Sendable () -> Void).self, at: data)()
                return GST_BUS_DROP
            }, CallbackData.keeping(onChange), CallbackData.release)
        guard gst_device_provider_start(native.pointer()) != 0 else {
            gst_bus_set_sync_handler(bus, nil, nil, nil)
            return nil
        }
    }

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
        return devices
    }
}
