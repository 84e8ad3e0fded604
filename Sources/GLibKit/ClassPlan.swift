import CGLib

/// What the C side of a `SubclassedType` needs to know; hangs on the registered type for good.
final class ClassPlan {
    private static let quark = g_quark_from_string("parley-class-plan")

    private let offset: Int
    private let makePeer: @Sendable (UnsafeMutableRawPointer) -> InstancePeer
    private let fill: @Sendable (UnsafeMutableRawPointer) -> Void
    private var parentFinalize: (@convention(c) (UnsafeMutablePointer<GObject>?) -> Void)?

    init(
        offset: Int, makePeer: @escaping @Sendable (UnsafeMutableRawPointer) -> InstancePeer,
        fill: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
    ) {
        self.offset = offset
        self.makePeer = makePeer
        self.fill = fill
    }

    /// Registers a type with this plan.
    func register(name: String, parent: GTypeQuery, instanceSize: Int, flags: GTypeFlags) -> GType {
        let data = Unmanaged.passRetained(self).toOpaque()
        var information = GTypeInfo()
        information.class_size = guint16(parent.class_size)
        information.instance_size = guint16(instanceSize)
        information.class_data = UnsafeRawPointer(data)
        information.class_init = { structure, data in
            guard let structure, let data else { return }
            Unmanaged<ClassPlan>.fromOpaque(data).takeUnretainedValue().initialiseClass(structure)
        }
        information.instance_init = { instance, _ in
            // While this runs the instance's class is the one being initialised, so its own plan is found.
            guard let instance, let plan = ClassPlan.plan(of: instance.pointee.g_class.pointee.g_type) else { return }
            plan.initialise(UnsafeMutableRawPointer(instance))
        }
        let type = g_type_register_static(parent.type, name, &information, flags)
        g_type_set_qdata(type, Self.quark, data)
        return type
    }

    /// Adds an interface to a registered type.
    static func implement(_ interface: GType, on type: GType, fill: @escaping Filling) {
        var information = GInterfaceInfo()
        information.interface_data = CallbackData.keeping(fill)
        information.interface_init = { structure, data in
            guard let structure, let data else { return }
            CallbackData.value(Filling.self, at: data)(structure)
        }
        g_type_add_interface_static(type, interface, &information)
    }

    /// Fills the structure of an interface.
    typealias Filling = @Sendable (UnsafeMutableRawPointer) -> Void

    private static func plan(of type: GType) -> ClassPlan? {
        guard let data = g_type_get_qdata(type, quark) else { return nil }
        return Unmanaged<ClassPlan>.fromOpaque(data).takeUnretainedValue()
    }

    private func initialiseClass(_ structure: UnsafeMutableRawPointer) {
        let objectClass = structure.assumingMemoryBound(to: GObjectClass.self)
        parentFinalize = objectClass.pointee.finalize
        objectClass.pointee.finalize = { object in
            if let object { ClassPlan.finalise(object) }
        }
        fill(structure)
    }

    private func initialise(_ instance: UnsafeMutableRawPointer) {
        let peer = Unmanaged.passRetained(makePeer(instance)).toOpaque()
        instance.storeBytes(of: UnsafeRawPointer(peer), toByteOffset: offset, as: UnsafeRawPointer.self)
    }

    /// Finalises through the nearest class that is not ours, then releases the peers of every class that is.
    private static func finalise(_ object: UnsafeMutablePointer<GObject>) {
        var peers: [Unmanaged<InstancePeer>] = []
        var native: (@convention(c) (UnsafeMutablePointer<GObject>?) -> Void)?
        var type = object.pointee.g_type_instance.g_class.pointee.g_type
        while type != 0 {
            if let plan = plan(of: type) {
                let word = UnsafeRawPointer(object).load(fromByteOffset: plan.offset, as: UnsafeRawPointer?.self)
                if let word { peers.append(Unmanaged<InstancePeer>.fromOpaque(word)) }
                native = plan.parentFinalize
            }
            type = g_type_parent(type)
        }
        native?(object)
        for peer in peers { peer.release() }
    }
}
