import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// The parts of a capture pipeline: a head that opens the source, and a tail that brings it to the call's format.
enum CaptureChains {
    /// At most of the given size and 30 frames a second, shape kept; or 48 kHz in one channel.
    ///
    /// A paced tail waits for each frame's time: files are read as fast as they are taken. `processing` is what is done with
    /// sound, in `gst-launch` syntax.
    static func tail(
        kind: FrameKind, size: PictureSize, hasPreview: Bool, isPaced: Bool, processing: String? = nil
    ) throws(MediaError) -> Element {
        switch kind {
        case .audio:
            return try Element.bin(
                """
                audioconvert ! audioresample ! capsfilter name=raw caps="\(EchoReference.format),channels=1" ! \
                \(processing.map { "\($0) ! " } ?? "")volume name=gain ! appsink name=frames sync=\(isPaced) max-buffers=20 drop=true
                """)
        case .video:
            let frames = "appsink name=frames sync=\(isPaced) max-buffers=2 drop=true"
            // Nothing is done to pictures that are dropped, and scaling and conversion pass on what needs none.
            let normal = """
                videorate name=limit drop-only=true max-rate=30 ! videoscale add-borders=false ! videoconvert ! \
                \(PictureColours.chain)
                """
            guard hasPreview else { return try following(Element.bin("\(normal) ! \(frames)"), within: size) }
            // A camera must never wait, a file has to: it would rush past queues that let frames go.
            let leak = isPaced ? "no" : "downstream"
            let tail = try Element.bin(
                """
                \(normal) ! tee name=both ! queue max-size-buffers=2 leaky=\(leak) ! \(frames) both. ! \
                queue max-size-buffers=1 leaky=\(leak) ! videoscale ! videoconvert ! \
                video/x-raw,format=BGRA,width=640,height=[8,640],pixel-aspect-ratio=1/1 ! \
                appsink name=preview sync=\(isPaced) max-buffers=1 drop=true
                """)
            return try following(tail, within: size)
        }
    }

    /// Has the tail follow what the source says: of its colours, and of its size, which it says exactly once that is known; with bounds the
    /// preview's would be taken for all.
    private static func following(_ tail: Element, within size: PictureSize) throws(MediaError) -> Element {
        try PictureColours.follow("limit", in: tail)
        let filter = try tail.child(PictureColours.filter)
        try tail.child("limit").pad("sink")?.onFormat { caps in
            guard let source = PictureSize(shownBy: caps) else { return }
            let fitted = source.fitted(into: size)
            filter.setCaps("\(PictureColours.format),width=\(fitted.width),height=\(fitted.height)")
        }
        return tail
    }

    /// Puts the source into the pipeline and links it with the tail, at once or when its format is known.
    /// - Returns: The device's element when it can change to another device while it plays.
    @discardableResult
    static func addHead(
        _ source: Capture.Source, kind: FrameKind, size: PictureSize, to pipeline: Element, before tail: Element
    ) throws(MediaError) -> Element? {
        switch (source, kind) {
        case (.test(let number), .video):
            try link(
                try Element.bin(
                    """
                    videotestsrc is-live=true pattern=ball foreground-color=0xffffffff \
                    background-color=\(number == 0 ? "0xff2060c0" : "0xff20a040") ! \
                    capsfilter caps=video/x-raw,width=640,height=480,framerate=30/1
                    """), to: tail, in: pipeline)
        case (.test, .audio):
            try link(
                try Element.bin("audiotestsrc is-live=true freq=440 volume=0.1 samplesperbuffer=480"), to: tail,
                in: pipeline)
        case (.silence, _):
            try link(
                try Element.bin("audiotestsrc is-live=true wave=silence samplesperbuffer=480"), to: tail, in: pipeline)
        case (.device(let found), .audio):
            let device = try found.makeElement()
            // PulseAudio's and PipeWire's word for calls: WirePlumber changes a Bluetooth headset to the profile with a microphone for it.
            device.setStructure("stream-properties", "props,media.role=phone")
            try link(device, to: tail, in: pipeline)
            return found.pulseName == nil ? nil : device
        case (.device(let found), .video):
            try addCamera(
                try found.makeElement(), named: found.device.name, formats: CameraMode.formats(found.modes, for: size),
                to: pipeline, before: tail)
        case (.remote(let descriptor), _):
            let device = try Element.make("pipewiresrc")
            device.set("fd", descriptor.number)
            try addCamera(
                device, named: nil, formats: CameraMode.formats([], for: size), to: pipeline, before: tail)
        case (.portal, _): throw .device(.cameraNotAsked)
        case (.file(let path), _):
            let file = try Element.make("filesrc")
            file.set("location", path)
            let decoder = try Element.make("decodebin")
            pipeline.add(file, decoder)
            guard file.link(to: decoder) else { throw .device(.film(path)) }
            decoder.linkLater(kind == .video ? "video/" : "audio/", to: tail)
        }
        return nil
    }

    private static func addCamera(
        _ device: Element, named name: String?, formats wanted: String, to pipeline: Element, before tail: Element
    ) throws(MediaError) {
        if device.factoryName == "pipewiresrc" {
            keepCopies(device)
            stampOnArrival(device)
        }
        let formats = try Element.make("capsfilter")
        formats.setCaps(wanted)
        let decoder = try Element.make("decodebin")
        pipeline.add(device, formats, decoder)
        guard device.link(to: formats), formats.link(to: decoder) else {
            throw .device(.unusable(.camera, name))
        }
        decoder.linkLater("video/", to: tail)
    }

    /// Makes a source of PipeWire's hand on frames of its own: those it shares with the camera or compositor lose their memory in the
    /// middle of our work (SIGSEGV) when that goes.
    static func keepCopies(_ device: Element) {
        device.set("always-copy", true)
    }

    /// Gives a source's frames the time they come at.
    ///
    /// PipeWire's bear the time of whoever makes them, whose clock need not be ours: before our beginning it becomes 0 for all, and
    /// every frame after the first would be taken for a repetition.
    private static func stampOnArrival(_ device: Element) {
        device.pad("src")?.onBuffer { pad, buffer in
            guard let parent = gst_pad_get_parent_element(pad) else { return }
            let source = Element(adopting: parent)
            if let now = source.runningTime { buffer.pointee.pts = GstClockTime(now) }
        }
    }

    /// Gives the sound that passes a pad, one channel of ``EchoReference/format``, the time at which it was captured.
    static func stampSound(at pad: Pad) {
        let clock = Lock(SoundClock(rate: 48_000))
        pad.onBuffer { pad, buffer in
            guard let parent = gst_pad_get_parent_element(pad), let now = Element(adopting: parent).runningTime else {
                return
            }
            let isNew = gst_buffer_get_flags(buffer).rawValue & GST_BUFFER_FLAG_DISCONT.rawValue != 0
            let samples = Int(gst_buffer_get_size(buffer)) / MemoryLayout<Int16>.size
            let time = clock.withLock { $0.piece(samples: samples, at: Int64(clamping: now), isNew: isNew) }
            buffer.pointee.pts = GstClockTime(max(time, 0))
        }
    }

    private static func link(_ head: Element, to tail: Element, in pipeline: Element) throws(MediaError) {
        pipeline.add(head)
        guard head.link(to: tail) else { throw .device(.source) }
    }
}

extension PictureSize {
    /// The size of pictures of a format once their pixels are squares; nil when it does not say.
    fileprivate init?(shownBy caps: UnsafeMutablePointer<GstCaps>) {
        guard gst_caps_get_size(caps) > 0, let structure = gst_caps_get_structure(caps, 0) else { return nil }
        var (width, height, numerator, denominator) = (gint(0), gint(0), gint(1), gint(1))
        guard gst_structure_get_int(structure, "width", &width) != 0,
            gst_structure_get_int(structure, "height", &height) != 0, width > 0, height > 0
        else { return nil }
        gst_structure_get_fraction(structure, "pixel-aspect-ratio", &numerator, &denominator)
        let shape = numerator > 0 && denominator > 0 ? Double(numerator) / Double(denominator) : 1
        self.init(width: min(max(Int(Double(width) * shape), 1), 65_535), height: Int(height))
    }
}
