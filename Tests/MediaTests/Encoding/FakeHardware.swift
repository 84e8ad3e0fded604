import CGStreamer
import GLibKit
import Synchronization

@testable import Media
@testable import MediaRules

/// Pretended encoders of a graphics processor: libvpx in a bin that does as a broken driver would.
enum FakeHardware: String, CaseIterable {
    /// Does all it should.
    case good
    /// Ends with an error after some pictures.
    case fails
    /// Takes pictures and gives none.
    case silent
    /// Can't be started.
    case refuses
    /// Gives pictures that are not those it was given.
    case wrong
    /// Gives ten times what it may.
    case wasteful

    /// It, registered.
    var encoder: HardwareEncoder {
        _ = Self.types
        return HardwareEncoder(factory: "parleytest" + rawValue, fixed: [:])
    }

    private static let types: [GType] = allCases.map { kind in
        let type = kind.register()
        gst_element_register(nil, "parleytest" + kind.rawValue, 0, type)
        return type
    }

    private func register() -> GType {
        switch self {
        case .good: FakeEncoder<Good>.register()
        case .fails: FakeEncoder<Failing>.register()
        case .silent: FakeEncoder<Silent>.register()
        case .refuses: FakeEncoder<Refusing>.register()
        case .wrong: FakeEncoder<Wrong>.register()
        case .wasteful: FakeEncoder<Wasteful>.register()
        }
    }

    /// The rates that they were set to, in 1000 bits a second.
    static let rates = Mutex<[Int]>([])
}

private protocol Way {
    static var elements: String { get }
}

extension Way {
    fileprivate static var elements: String { "identity" }
}

private enum Good: Way {}
private enum Failing: Way { static let elements = "identity error-after=40" }
private enum Silent: Way { static let elements = "identity drop-probability=1" }
private enum Refusing: Way {}
private enum Wrong: Way { static let elements = "videobalance brightness=1" }
private enum Wasteful: Way {}

/// A bin with libvpx inside.
private final class FakeEncoder<Kind: Way>: InstancePeer {
    static func register() -> GType {
        SubclassedType<FakeEncoder<Kind>>(name: "ParleyTest\(Kind.self)", parent: gst_bin_get_type()) { structure in
            let klass = structure.assumingMemoryBound(to: GObjectClass.self)
            klass.pointee.set_property = { object, _, value, _ in
                guard let object, let value,
                    let vpx = gst_bin_get_by_name(
                        UnsafeMutableRawPointer(object).assumingMemoryBound(to: GstBin.self), "vpx")
                else { return }
                let rate = Int(g_value_get_uint(value))
                FakeHardware.rates.withLock { $0.append(rate) }
                Element(adopting: vpx).set("target-bitrate", rate * 1_000 * excess(of: object))
            }
            g_object_class_install_property(
                klass, 1, g_param_spec_uint("bitrate", nil, nil, 1, 1_000_000, 1_000, G_PARAM_WRITABLE))
            structure.assumingMemoryBound(to: GstElementClass.self).pointee.change_state = { element, transition in
                guard let element, !refuses(element) || transition != GST_STATE_CHANGE_READY_TO_PAUSED else {
                    return GST_STATE_CHANGE_FAILURE
                }
                let parent = UnsafeMutableRawPointer(g_type_class_peek(gst_bin_get_type())!)
                    .assumingMemoryBound(to: GstElementClass.self)
                return parent.pointee.change_state(element, transition)
            }
        }.type
    }

    required init(instance: UnsafeMutableRawPointer) {
        super.init(instance: instance)
        guard
            let bin = try? Element.bin(
                """
                \(Kind.elements) ! vp8enc name=vpx deadline=1 cpu-used=8 end-usage=cbr buffer-size=600 buffer-initial-size=400 \
                buffer-optimal-size=500 keyframe-max-dist=3000 lag-in-frames=0
                """)
        else { return }
        gst_bin_add(pointer(), bin.pointer())
        for name in ["sink", "src"] {
            guard let pad = bin.pad(name), let ghost = gst_ghost_pad_new(name, pad.pointer()) else { continue }
            gst_element_add_pad(pointer(), ghost)
        }
    }
}

// What a C function can't capture is told by the name of the type.
private func refuses(_ element: UnsafeMutablePointer<GstElement>) -> Bool {
    Object(retaining: UnsafeMutableRawPointer(element)).typeName.hasSuffix("Refusing")
}

private func excess(of object: UnsafeMutablePointer<GObject>) -> Int {
    Object(retaining: UnsafeMutableRawPointer(object)).typeName.hasSuffix("Wasteful") ? 10 : 1
}
