import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// `parleyvp8enc`: encodes a camera's pictures, by the machine's graphics processor where one has been found that can
/// (``HardwareEncoders``) and `hardware` allows it, by libvpx otherwise.
///
/// Where the graphics processor fails in a call, libvpx takes its place: the picture that it failed with is lost, the next one is a key frame, and
/// nothing else of the call notices. Its properties are libvpx's, of the same names.
final class PictureEncoderElement: InstancePeer {
    static let gclass: SubclassedType<PictureEncoderElement> = .init(name: "ParleyVP8Enc", parent: gst_bin_get_type()) {
        structure in
        describe(structure)
        Property.install(in: structure)
        let element = structure.assumingMemoryBound(to: GstElementClass.self)
        element.pointee.change_state = { element, transition in
            guard let element else { return GST_STATE_CHANGE_FAILURE }
            return gclass.peer(of: UnsafeMutableRawPointer(element)).change(by: transition)
        }
        structure.assumingMemoryBound(to: GstBinClass.self).pointee.handle_message = { bin, message in
            guard let bin, let message else { return }
            guard gclass.peer(of: UnsafeMutableRawPointer(bin)).notices(message) else {
                PictureEncoderElement.parent(GstBinClass.self)?.pointee.handle_message?(bin, message)
                return
            }
            gst_message_unref(message)
        }
    }

    private struct State {
        var numbers: [Property: Int] = [:]
        /// What encodes, the encoder last; nothing before it is needed first.
        var members: [Element] = []
        /// The graphics processor's encoder that this is; nil for libvpx.
        var hardware: HardwareEncoder?
        /// The rate that the graphics processor's has.
        var bitrate: Int?
        /// Pictures that were given since one came back.
        var unanswered = 0
        var hasFailed = false
    }

    /// libvpx's settings. Buffer sizes and bit rates as measured for 640x480 at 30 frames a second; threads and cpu-used follow the size
    /// (``EncoderEffort``).
    private static let software = [
        "deadline": "1", "cpu-used": "-6", "threads": "1", "target-bitrate": "1000000", "end-usage": "cbr",
        "undershoot": "95", "buffer-size": "600", "buffer-initial-size": "400", "buffer-optimal-size": "500",
        "lag-in-frames": "0", "keyframe-max-dist": "3000", "max-intra-bitrate": "400", "dropframe-threshold": "30",
    ]
    /// So many pictures without one that comes back mean that the graphics processor has stopped.
    private static let patience = 60

    private let state = Lock(State())

    required init(instance: UnsafeMutableRawPointer) {
        super.init(instance: instance)
        guard let sink = gst_ghost_pad_new_no_target("sink", GST_PAD_SINK),
            let source = gst_ghost_pad_new_no_target("src", GST_PAD_SRC)
        else { return }
        gst_pad_set_chain_function_full(
            sink,
            { pad, parent, buffer in
                guard let parent else { return GST_FLOW_FLUSHING }
                return PictureEncoderElement.gclass.peer(of: UnsafeMutableRawPointer(parent)).chain(pad, parent, buffer)
            }, nil, nil)
        gst_element_add_pad(pointer(), sink)
        gst_element_add_pad(pointer(), source)
        Pad(retaining: source).onBuffer { pad, _ in
            guard let parent = gst_pad_get_parent_element(pad) else { return }
            PictureEncoderElement.gclass.peer(of: UnsafeMutableRawPointer(parent)).state.withLock { $0.unanswered = 0 }
            gst_object_unref(parent)
        }
    }

    /// Whether the graphics processor encodes.
    private var isHardware: Bool { state.withLock { $0.hardware != nil } }

    // MARK: Settings

    fileprivate func set(_ property: Property, _ number: Int) {
        let (encoder, hardware, isDue) = state.withLock { state in
            state.numbers[property] = number
            guard state.hardware != nil else { return (state.members.last, state.hardware, property.isSoftware) }
            let isDue = property == .bitrate && HardwareEncoder.isWorthSetting(number, after: state.bitrate)
            if isDue { state.bitrate = number }
            return (state.members.last, state.hardware, isDue)
        }
        guard let encoder, isDue else { return }
        guard let hardware else {
            _ = encoder.set(property.name, number)
            return
        }
        for (name, number) in hardware.settings(bitrate: number) { encoder.setNearest(name, number) }
    }

    fileprivate func number(of property: Property) -> Int {
        if property == .isHardware { return isHardware ? 1 : 0 }
        return state.withLock { $0.numbers[property] } ?? property.initial
    }

    // MARK: The encoder inside

    private func change(by transition: GstStateChange) -> GstStateChangeReturn {
        if transition == GST_STATE_CHANGE_NULL_TO_READY, state.withLock({ $0.members.isEmpty }) { fill() }
        let outcome = parentsChange(by: transition)
        guard outcome == GST_STATE_CHANGE_FAILURE, replaceHardware(runs: false) else { return outcome }
        return parentsChange(by: transition)
    }

    private func parentsChange(by transition: GstStateChange) -> GstStateChangeReturn {
        Self.parent(GstElementClass.self)?.pointee.change_state?(pointer(), transition) ?? GST_STATE_CHANGE_FAILURE
    }

    private func fill() {
        let (isAllowed, bitrate) = (number(of: .hardware) != 0, number(of: .bitrate))
        guard isAllowed, let hardware = HardwareEncoders.best, let converter = try? Element.make("videoconvert"),
            let encoder = try? HardwareEncoders.make(hardware, bitrate: bitrate)
        else { return useSoftware(runs: false) }
        state.withLock { state in
            (state.members, state.hardware, state.bitrate) = ([converter, encoder], hardware, bitrate)
        }
        connect([converter, encoder], runs: false)
    }

    private func useSoftware(runs: Bool) {
        guard let encoder = try? Element.make("vp8enc") else { return }
        for (name, text) in Self.software { gst_util_set_object_arg(encoder.pointer(), name, text) }
        let numbers = state.withLock { state in
            (state.members, state.hardware) = ([encoder], nil)
            return state.numbers
        }
        for (property, number) in numbers where property.isSoftware { encoder.set(property.name, number) }
        connect([encoder], runs: runs)
    }

    /// Puts elements, in their order, between the two pads.
    private func connect(_ elements: [Element], runs: Bool) {
        for element in elements { gst_bin_add(pointer(), element.pointer()) }
        for (former, next) in zip(elements, elements.dropFirst()) { former.link(to: next) }
        setTarget(of: "sink", to: elements.first?.pad("sink"))
        setTarget(of: "src", to: elements.last?.pad("src"))
        guard runs else { return }
        for element in elements.reversed() { gst_element_sync_state_with_parent(element.pointer()) }
    }

    private func setTarget(of name: String, to target: Pad?) {
        guard let pad = gst_element_get_static_pad(pointer(), name) else { return }
        gst_ghost_pad_set_target(
            UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GstGhostPad.self), target?.pointer())
        gst_object_unref(pad)
    }

    // MARK: Failures

    /// Puts libvpx in the graphics processor's place; false when it is there already.
    private func replaceHardware(runs: Bool) -> Bool {
        let (hardware, members) = state.withLock { state in
            defer { (state.hardware, state.hasFailed, state.unanswered) = (nil, false, 0) }
            return (state.hardware, state.members)
        }
        guard let hardware else { return false }
        HardwareEncoders.fail(hardware)
        setTarget(of: "sink", to: nil)
        setTarget(of: "src", to: nil)
        for element in members {
            gst_element_set_locked_state(element.pointer(), 1)
            element.setState(GST_STATE_NULL)
            gst_bin_remove(pointer(), element.pointer())
        }
        useSoftware(runs: runs)
        return true
    }

    /// Whether a message from inside tells that the graphics processor has failed, and stays here.
    private func notices(_ message: UnsafeMutablePointer<GstMessage>) -> Bool {
        guard message.pointee.type == GST_MESSAGE_ERROR else { return false }
        return state.withLock { state in
            guard state.hardware != nil else { return false }
            state.hasFailed = true
            return true
        }
    }

    /// Takes a picture. On the thread that brings pictures, on which nothing of them can be on its way then.
    private func chain(
        _ pad: UnsafeMutablePointer<GstPad>?, _ parent: UnsafeMutablePointer<GstObject>?,
        _ picture: UnsafeMutablePointer<GstBuffer>?
    ) -> GstFlowReturn {
        state.withLock { $0.unanswered += 1 }
        let outcome = gst_proxy_pad_chain_default(pad, parent, picture)
        let isStopped = state.withLock { state in
            state.hardware != nil && (state.hasFailed || state.unanswered > Self.patience)
        }
        guard Self.failures.contains(outcome) || isStopped, replaceHardware(runs: true) else { return outcome }
        return GST_FLOW_OK
    }

    private static let failures = [GST_FLOW_ERROR, GST_FLOW_NOT_NEGOTIATED, GST_FLOW_NOT_SUPPORTED]

    // MARK: The class

    private static func describe(_ structure: UnsafeMutableRawPointer) {
        gst_element_class_set_metadata(
            structure.assumingMemoryBound(to: GstElementClass.self), "VP8 encoder", "Codec/Encoder/Video",
            "Encodes VP8 by the graphics processor or by libvpx", "Parley")
    }

    private static func parent<Structure>(_: Structure.Type) -> UnsafeMutablePointer<Structure>? {
        UnsafeMutableRawPointer(g_type_class_peek(gst_bin_get_type())!).assumingMemoryBound(to: Structure.self)
    }
}

extension PictureEncoderElement {
    /// What can be set and read. The numbers are those of GObject's properties, from 1.
    enum Property: guint, CaseIterable {
        /// Bits a second.
        case bitrate = 1
        /// The coarsest that a picture may become; libvpx alone.
        case coarsest
        /// Libvpx alone.
        case threads
        /// Libvpx alone.
        case speed
        /// Whether the graphics processor may encode: 0 or 1.
        case hardware
        /// Whether it does: 0 or 1.
        case isHardware

        var name: String {
            switch self {
            case .bitrate: "target-bitrate"
            case .coarsest: "max-quantizer"
            case .threads: "threads"
            case .speed: "cpu-used"
            case .hardware: "hardware"
            case .isHardware: "is-hardware"
            }
        }

        /// Whether libvpx has a property of this name.
        var isSoftware: Bool { self != .hardware && self != .isHardware }

        fileprivate var initial: Int {
            switch self {
            case .bitrate: 1_000_000
            case .coarsest: 63
            case .threads: 1
            case .speed: -6
            case .hardware, .isHardware: 0
            }
        }

        fileprivate static func install(in structure: UnsafeMutableRawPointer) {
            let klass = structure.assumingMemoryBound(to: GObjectClass.self)
            klass.pointee.set_property = { object, number, value, _ in
                guard let object, let value, let property = Property(rawValue: number) else { return }
                PictureEncoderElement.gclass.peer(of: UnsafeMutableRawPointer(object)).set(
                    property, Int(g_value_get_int(value)))
            }
            klass.pointee.get_property = { object, number, value, _ in
                guard let object, let value, let property = Property(rawValue: number) else { return }
                let content = PictureEncoderElement.gclass.peer(of: UnsafeMutableRawPointer(object)).number(
                    of: property)
                g_value_set_int(value, gint(clamping: content))
            }
            for property in allCases {
                let flags =
                    property == .isHardware
                    ? G_PARAM_READABLE.rawValue : G_PARAM_READABLE.rawValue | G_PARAM_WRITABLE.rawValue
                g_object_class_install_property(
                    klass, property.rawValue,
                    g_param_spec_int(
                        property.name, nil, nil, gint.min, gint.max, gint(property.initial),
                        GParamFlags(rawValue: flags)))
            }
        }
    }
}
