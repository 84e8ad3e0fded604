import BaseKit
import CGStreamer
import Dispatch
import GLibKit
import MediaRules
import Portal
import Synchronization

/// One running source, camera or microphone, in a pipeline of its own.
///
/// The device is open exactly as long as this object is not closed. Nothing else in this floor opens one.
final class Capture: Sendable {
    /// What is captured, once names are resolved to devices.
    enum Source: Sendable {
        case device(FoundDevice)
        /// Test picture or tone; the number tells pictures apart.
        case test(Int)
        /// No sound.
        case silence
        case file(String)
        /// The camera that the desktop's portal gives, once it has been asked.
        case portal
        /// The camera behind a connection to PipeWire.
        case remote(FileDescriptor)
    }

    /// How a device's sound is treated.
    struct Sound: Sendable {
        var processing = SoundProcessing.off
        var echo: EchoReference?
        var meter: MicrophoneMeter?
        /// What the sound is multiplied with.
        var gain = 1.0
        /// Whose time the sound is stamped with, so that it can be compared with what the loudspeaker plays.
        var call: Shared<Pipeline>?
    }

    private static let count = Atomic(0)
    /// How many sources are open in this process.
    static var live: Int { count.load(ordering: .relaxed) }

    private let pipeline: Pipeline
    /// The element that has the device open; only PulseAudio's are remembered, as they can change to another device.
    private let pulseSource: Element?
    /// The element that makes sound louder or quieter; nil for pictures.
    private let gain: Element?
    /// Keeps the connection to PipeWire.
    private let source: Source
    private let entry: FrameInlet.Entry
    private let turn: DeviceTurns.Turn?

    /// Opens a source and starts it. Blocks until the device answers, and where it is to take over from another, until its
    /// first frame has. Pictures are at most as large as `size`. Throws ``MediaError/device(_:)``.
    init(
        _ source: Source, kind: FrameKind, size: PictureSize = CameraQuality.standard.size, preview: VideoFeed?,
        inlet: FrameInlet, sound: Sound = Sound(),
        takesOver: Bool = false, onFailure: @escaping @Sendable (String) -> Void
    ) throws(MediaError) {
        self.source = source
        turn = source.exclusiveDevice.map { DeviceTurns.shared.begin(with: $0) }
        let report = CaptureReport(onFailure: onFailure)
        pipeline = try Pipeline { report.receive($0) }
        report.loop(pipeline.element)
        let tail = try CaptureChains.tail(
            kind: kind, size: size, hasPreview: preview?.isDrawn ?? false, isPaced: source.isFile,
            processing: source.isMicrophone(kind) ? sound.processing.description(echo: sound.echo) : nil)
        let (entry, hasFrame) = (inlet.makeEntry(), takesOver ? FirstFrame() : nil)
        self.entry = entry
        try tail.child("frames").onSample { sample in
            entry.push(sample)
            hasFrame?.came()
        }
        if let preview, preview.isDrawn {
            try tail.child("preview").onSample { sample in
                if entry.isNewest, let frame = VideoFrame(sample) { preview.show(frame) }
            }
        }
        // First: what is measured of the sound goes by its time.
        if source.isMicrophone(kind) { try tail.child("raw").pad("src").map(CaptureChains.stampSound) }
        if kind == .audio, let meter = sound.meter {
            try tail.child("raw").pad("src")?.onBuffer { _, buffer in meter.measure(buffer) }
        }
        if source.isMicrophone(kind), sound.processing.echoCancellation, let echo = sound.echo {
            try tail.child("raw").pad("src").map(echo.compare)
        }
        gain = kind == .audio ? try tail.child("gain") : nil
        gain?.set("volume", sound.gain)
        pipeline.element.add(tail)
        pulseSource = try CaptureChains.addHead(
            source, kind: kind, size: size, to: pipeline.element, before: tail)
        if source.isMicrophone(kind), let call = sound.call { pipeline.shareTime(with: call.value) }
        guard pipeline.play(within: .seconds(5)) else {
            // It may yet begin: what it would give then is not wanted.
            entry.revoke()
            throw .device(source.fault(kind, detail: report.firstError))
        }
        guard hasFrame?.wait(within: .seconds(5)) ?? true, report.begin() else {
            entry.revoke()
            pipeline.close()
            throw .device(source.fault(kind, detail: report.firstError))
        }
        isOpen.store(true, ordering: .relaxed)
        Self.count.add(1, ordering: .relaxed)
    }

    deinit {
        if isOpen.exchange(false, ordering: .relaxed) { Self.count.subtract(1, ordering: .relaxed) }
    }

    private let isOpen = Atomic(false)

    /// Changes to another device while the sound goes on; false when that is not possible with these two.
    func retarget(to source: Source) -> Bool {
        guard let pulseSource, case .device(let found) = source, let name = found.pulseName else { return false }
        return pulseSource.set("device", name)
    }

    /// Makes sound louder or quieter: 1 is as it comes.
    func setGain(_ factor: Double) { gain?.set("volume", factor) }

    /// Closes the device. Blocks until its thread is gone.
    func close() {
        pipeline.close()
        turn?.end()
        entry.revoke()
        if isOpen.exchange(false, ordering: .relaxed) { Self.count.subtract(1, ordering: .relaxed) }
    }
}

extension Capture.Source {
    fileprivate var isFile: Bool { if case .file = self { true } else { false } }

    fileprivate func isMicrophone(_ kind: FrameKind) -> Bool {
        if case .device = self { kind == .audio } else { false }
    }

    /// Whether it is a camera, which is opened for a size.
    var isCamera: Bool {
        switch self {
        case .device, .portal, .remote: true
        case .test, .silence, .file: false
        }
    }

    /// The id of the device that no two can have open.
    fileprivate var exclusiveDevice: String? {
        if case .device(let found) = self, found.isExclusive { found.device.id } else { nil }
    }

    /// The device, where it is one.
    var device: MediaDevice? { if case .device(let found) = self { found.device } else { nil } }

    fileprivate func fault(_ kind: FrameKind, detail: String?) -> DeviceFault {
        switch self {
        case .file(let path): .filmLacks(kind.device, path, detail: detail)
        case .device(let found): .notOpened(kind.device, found.device.name, detail: detail)
        case .portal, .remote: .cameraNotOpened(detail: detail)
        case .test, .silence: .test(kind.device, detail: detail)
        }
    }
}

/// Waits for a source's first frame.
private final class FirstFrame: Sendable {
    private let hasCome = Atomic(false)
    private let semaphore = DispatchSemaphore(value: 0)

    func came() { if !hasCome.exchange(true, ordering: .relaxed) { semaphore.signal() } }

    /// False when none came in time.
    func wait(within time: Duration) -> Bool {
        semaphore.wait(timeout: .now() + DispatchTimeInterval(time)) == .success
    }
}

extension FrameKind {
    /// What gives such frames.
    var device: DeviceKind { self == .video ? .camera : .microphone }
}

/// Keeps what a capture pipeline says, and begins a file again at its end.
private final class CaptureReport: Sendable {

    private let state = Lock(Report())
    private let onFailure: @Sendable (String) -> Void

    private struct Report: Sendable {
        var firstError: String?
        var isRunning = false
        weak var looped: Element?
    }

    init(onFailure: @escaping @Sendable (String) -> Void) { self.onFailure = onFailure }

    var firstError: String? { state.withLock { $0.firstError } }

    /// From now on errors are told; false when there was one before.
    func begin() -> Bool {
        state.withLock { state in
            state.isRunning = state.firstError == nil
            return state.isRunning
        }
    }

    func loop(_ pipeline: Element) { state.withLock { $0.looped = pipeline } }

    func receive(_ message: Pipeline.Message) {
        switch message {
        case .error(let text):
            let isNew = state.withLock { state in
                defer { state.firstError = state.firstError ?? text }
                return state.isRunning && state.firstError == nil
            }
            if isNew { onFailure(text) }
        case .endOfStream:
            guard let pipeline = state.withLock({ $0.looped }) else { return }
            // Not on the streaming thread: a flushing seek waits for it.
            MediaQueue.start {
                gst_element_seek_simple(pipeline.pointer(), GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 0)
            }
        case .latencyChanged: break
        }
    }
}
