import CGLib

/// A GObject class written in Swift. Registers a subclass of `parent` whose instances hold one more word, a retained `Peer`.
///
/// Keep it as a `static let` with a written type (`static let gclass: SubclassedType<X> = .init(…)`), as the class closure
/// usually refers back to it. Closures put into class structures must be `@Sendable`, or written in nonisolated code.
public struct SubclassedType<Peer: InstancePeer>: Sendable {
    /// Fills a class structure in.
    public typealias Filler = @Sendable (UnsafeMutableRawPointer) -> Void

    /// The registered type.
    public let type: GType
    private let offset: Int

    /// Registers the type. `fill` gets the class structure.
    public init(
        name: String, parent: GType, flags: GTypeFlags = GTypeFlags(rawValue: 0),
        interfaces: [ImplementedInterface] = [], fill: @escaping Filler = { _ in }
    ) {
        var query = GTypeQuery()
        g_type_query(parent, &query)
        let word = MemoryLayout<UnsafeMutableRawPointer?>.size
        let aligned = (Int(query.instance_size) + word - 1) / word * word
        let plan = ClassPlan(offset: aligned, makePeer: { Peer(instance: $0) }, fill: fill)
        type = plan.register(name: name, parent: query, instanceSize: aligned + word, flags: flags)
        offset = aligned
        for interface in interfaces { ClassPlan.implement(interface.type, on: type, fill: interface.fill) }
    }

    /// The Swift half of an instance of this type.
    public func peer(of instance: UnsafeMutableRawPointer) -> Peer {
        // The word is written when the instance is initialised and cleared after it is finalised.
        let word = instance.load(fromByteOffset: offset, as: UnsafeRawPointer.self)
        return Unmanaged<Peer>.fromOpaque(word).takeUnretainedValue()
    }

    /// The Swift half of an instance of this type.
    public func peer(of instance: OpaquePointer) -> Peer { peer(of: UnsafeMutableRawPointer(instance)) }

    /// The Swift half of an instance of this type.
    public func peer(of object: Object) -> Peer { peer(of: object.pointer() as UnsafeMutableRawPointer) }

    /// Makes an instance.
    public func make() -> Object { Object(type: type) }
}
