import BaseKit
import CPipeWire
import Glibc
import MediaRules

/// A connection to a PipeWire server that knows the devices among its nodes, and tells when they change and when the server goes.
///
/// Not GStreamer's provider, which is unsafe to stop and, as it asks all streams for their ports, to use (docs/devices.md). This one asks
/// only nodes that are devices, and opens none.
///
/// Unchecked: what belongs to PipeWire is touched on its loop's thread only, before that runs, or once it has ended.
final class PipeWireRegistry: @unchecked Sendable {
    private let loop: OpaquePointer
    private let context: OpaquePointer
    private let core: OpaquePointer
    private let registry: OpaquePointer
    private let coreHook = Hook()
    private let registryHook = Hook()
    private var objects: [UInt32: BoundObject] = [:]
    /// How often the server is yet to say that it has told all: of what there is, then of what was asked about that.
    private var rounds = 2
    private var awaited: Int32 = -1

    private struct State {
        var nodes = PipeWireNodes()
        var hasAnswered = false
        var isLost = false
        var isClosed = false
    }

    private let state = Lock(State())
    private let latch = OpeningLatch()
    private let onChange: @Sendable () -> Void
    private let onLoss: @Sendable () -> Void

    /// How long a server may keep whoever wants to know of devices waiting.
    private static let patience = Duration.seconds(3)

    /// Takes a connection over and begins; nil when libpipewire can't. Does not wait for the server. `onChange` and `onLoss` are called on
    /// the loop's thread and must not close or free this object there; `onLoss` is called once at most.
    init?(
        adopting descriptor: Int32, onChange: @escaping @Sendable () -> Void, onLoss: @escaping @Sendable () -> Void
    ) {
        pw_init(nil, nil)
        guard let loop = pw_thread_loop_new("parley-devices", nil) else {
            Glibc.close(descriptor)
            return nil
        }
        guard let context = pw_context_new(pw_thread_loop_get_loop(loop), nil, 0) else {
            Glibc.close(descriptor)
            pw_thread_loop_destroy(loop)
            return nil
        }
        // It closes the descriptor also when it fails.
        guard let core = pw_context_connect_fd(context, descriptor, nil, 0) else {
            pw_context_destroy(context)
            pw_thread_loop_destroy(loop)
            return nil
        }
        guard let registry = parley_core_get_registry(core) else {
            pw_core_disconnect(core)
            pw_context_destroy(context)
            pw_thread_loop_destroy(loop)
            return nil
        }
        (self.loop, self.context, self.core, self.registry) = (loop, context, core, registry)
        (self.onChange, self.onLoss) = (onChange, onLoss)
        let data = Unmanaged.passUnretained(self).toOpaque()
        _ = parley_core_add_listener(core, coreHook.place, Self.coreEvents.place, data)
        _ = parley_registry_add_listener(registry, registryHook.place, Self.registryEvents.place, data)
        awaited = parley_core_sync(core)
        guard pw_thread_loop_start(loop) >= 0 else {
            close()
            return nil
        }
    }

    deinit { close() }

    /// Ends the connection. Nothing is told any more. Blocks for a moment. Further calls do nothing.
    func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        pw_thread_loop_stop(loop)
        for object in objects.values { object.end() }
        objects = [:]
        pw_proxy_destroy(registry)
        pw_core_disconnect(core)
        pw_context_destroy(context)
        pw_thread_loop_destroy(loop)
        latch.release()
    }

    /// Waits until the server has told all, or has gone, though not for long. Gives whether it has told.
    func wait() -> Bool {
        _ = latch.wait(within: Self.patience)
        return hasAnswered
    }

    /// Whether the server has told what it has.
    var hasAnswered: Bool { state.withLock { $0.hasAnswered } }

    /// The devices that are known now.
    var devices: [PipeWireNodes.Node] { state.withLock { $0.nodes.devices } }

    // MARK: What the server says, on the loop's thread

    private func finishRound(_ number: Int32) {
        guard rounds > 0, number == awaited else { return }
        rounds -= 1
        guard rounds == 0 else {
            awaited = parley_core_sync(core)
            return
        }
        state.withLock { $0.hasAnswered = true }
        onChange()
        latch.release()
    }

    private func lose() {
        let isFirst = state.withLock { state in
            defer { state.isLost = true }
            return !state.isLost
        }
        guard isFirst else { return }
        latch.release()
        onLoss()
    }

    private func add(_ id: UInt32, type: String, _ properties: [String: String]) {
        guard objects[id] == nil else { return }
        switch type {
        case Interface.node where PipeWireNodes.wants(mediaClass: properties["media.class"]):
            guard objects.count <= PipeWireNodes.mostNodes, let proxy = parley_registry_bind_node(registry, id) else {
                return
            }
            let object = BoundObject(id, proxy, of: self)
            objects[id] = object
            _ = parley_node_add_listener(proxy, object.hook.place, Self.nodeEvents.place, object.data)
        case Interface.metadata where properties["metadata.name"] == PipeWireNodes.metadataName:
            guard let proxy = parley_registry_bind_metadata(registry, id) else { return }
            let object = BoundObject(id, proxy, of: self)
            objects[id] = object
            _ = parley_metadata_add_listener(proxy, object.hook.place, Self.metadataEvents.place, object.data)
        default: break
        }
    }

    private func remove(_ id: UInt32) {
        objects.removeValue(forKey: id)?.end()
        change { $0.remove(id) }
    }

    fileprivate func change(_ body: (inout PipeWireNodes) -> Bool) {
        let isNews = state.withLock { state in body(&state.nodes) && state.hasAnswered }
        if isNews { onChange() }
    }

    private static func at(_ data: UnsafeMutableRawPointer?) -> PipeWireRegistry? {
        data.map { Unmanaged<PipeWireRegistry>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The names of interfaces (`PW_TYPE_INTERFACE_…`), which are macros of several strings.
    private enum Interface {
        static let node = "PipeWire:Interface:Node"
        static let metadata = "PipeWire:Interface:Metadata"
    }

    // MARK: Tables of callbacks

    private static let coreEvents = EventTable<pw_core_events> { events in
        events.version = UInt32(PW_VERSION_CORE_EVENTS)
        events.done = { data, id, number in
            if id == UInt32(PW_ID_CORE) { PipeWireRegistry.at(data)?.finishRound(number) }
        }
        events.error = { data, id, _, result, _ in
            // The others are of objects that have gone meanwhile.
            if id == UInt32(PW_ID_CORE), result != -ENOENT { PipeWireRegistry.at(data)?.lose() }
        }
    }

    private static let registryEvents = EventTable<pw_registry_events> { events in
        events.version = UInt32(PW_VERSION_REGISTRY_EVENTS)
        events.global = { data, id, _, type, _, properties in
            guard let type else { return }
            PipeWireRegistry.at(data)?.add(id, type: String(cString: type), texts(properties))
        }
        events.global_remove = { data, id in PipeWireRegistry.at(data)?.remove(id) }
    }

    private static let nodeEvents = EventTable<pw_node_events> { events in
        events.version = UInt32(PW_VERSION_NODE_EVENTS)
        events.info = { data, info in
            guard let object = BoundObject.at(data), let info = info?.pointee,
                info.change_mask & UInt64(PW_NODE_CHANGE_MASK_PROPS) != 0
            else { return }
            object.owner.change { $0.note(object.id, texts(info.props)) }
        }
    }

    private static let metadataEvents = EventTable<pw_metadata_events> { events in
        events.version = UInt32(PW_VERSION_METADATA_EVENTS)
        events.property = { data, subject, key, _, value in
            guard let object = BoundObject.at(data), subject == UInt32(PW_ID_CORE) else { return 0 }
            let (key, value) = (key.map { String(cString: $0) }, value.map { String(cString: $0) })
            object.owner.change { $0.noteDefault(key, value) }
            return 0
        }
    }
}

/// A table of callbacks, which PipeWire keeps for as long as it likes.
///
/// Unchecked: it is filled before anybody else has it, and only read from then on.
private struct EventTable<Events>: @unchecked Sendable {
    let place: UnsafePointer<Events>

    init(_ fill: (inout Events) -> Void) {
        let events = UnsafeMutablePointer<Events>.allocate(capacity: 1)
        // What is not filled in is not called.
        UnsafeMutableRawPointer(events).initializeMemory(
            as: UInt8.self, repeating: 0, count: MemoryLayout<Events>.size)
        fill(&events.pointee)
        place = UnsafePointer(events)
    }
}

/// An object of the server that tells of itself.
private final class BoundObject {
    let id: UInt32
    unowned let owner: PipeWireRegistry
    let hook = Hook()
    private let proxy: OpaquePointer

    init(_ id: UInt32, _ proxy: OpaquePointer, of owner: PipeWireRegistry) {
        (self.id, self.proxy, self.owner) = (id, proxy, owner)
    }

    /// It is told of no more.
    func end() { pw_proxy_destroy(proxy) }

    /// What its callbacks are given.
    var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func at(_ data: UnsafeMutableRawPointer?) -> BoundObject? {
        data.map { Unmanaged<BoundObject>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Where PipeWire keeps one of its listeners.
private final class Hook {
    let place = UnsafeMutablePointer<spa_hook>.allocate(capacity: 1)

    init() { place.initialize(to: spa_hook()) }

    deinit { place.deallocate() }
}

/// The texts of a dictionary.
private func texts(_ dictionary: UnsafePointer<spa_dict>?) -> [String: String] {
    guard let dictionary, let items = dictionary.pointee.items else { return [:] }
    var texts: [String: String] = [:]
    for item in UnsafeBufferPointer(start: items, count: Int(dictionary.pointee.n_items)) {
        if let key = item.key, let value = item.value { texts[String(cString: key)] = String(cString: value) }
    }
    return texts
}
