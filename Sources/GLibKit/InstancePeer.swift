import CGLib

/// The Swift half of an instance of a GObject class written in Swift (`SubclassedType`). The instance owns its peer: it makes
/// it when it is initialised and releases it after the parent class has finalised.
open class InstancePeer {
    /// The instance this peer belongs to. Not retained: the peer never outlives it.
    public let instance: UnsafeMutableRawPointer

    /// Called once for each instance. The instance is of the parent class only at this time; set nothing on it yet.
    public required init(instance: UnsafeMutableRawPointer) {
        self.instance = instance
    }

    /// The instance as the structure a C function asks for.
    public func pointer<Structure>() -> UnsafeMutablePointer<Structure> {
        instance.assumingMemoryBound(to: Structure.self)
    }

    /// The instance as an opaque pointer.
    public func pointer() -> OpaquePointer { OpaquePointer(instance) }
}
