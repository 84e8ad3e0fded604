import CGStreamer
import GLibKit

extension Object {
    /// An object that somebody else owns without ever having sunk it, as webrtcbin does with its transceivers and transports.
    ///
    /// ``Object`` sinks what it retains; of a floating object it would take the owner's only reference. Giving the owner a
    /// real one first keeps the count right.
    static func borrowed(_ object: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        if g_object_is_floating(object) != 0 { g_object_ref(object) }
        return object
    }

    /// A property that holds an object its owner may never have sunk.
    func borrow(_ property: String) -> Object? {
        guard let holder = value(of: property) else { return nil }
        return Object(borrowing: holder)
    }

    /// The object in a value, whose owner may never have sunk it.
    convenience init?(borrowing value: Value) {
        guard let object = g_value_get_object(value.storage) else { return nil }
        self.init(retaining: Object.borrowed(object))
    }
}
