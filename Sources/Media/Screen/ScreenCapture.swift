import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// A running screen source in a pipeline of its own.
final class ScreenCapture: Sendable {
    /// What is captured, once the person has chosen.
    enum Source: Sendable {
        /// A node of PipeWire, reached through the descriptor that a portal gave.
        case node(descriptor: Int32, id: UInt32)
        case test
        case file(String)
    }

    let pipeline: Pipeline
    private let frames: ScreenFrames
    private let repeating: Task<Void, Never>

    /// Opens a source and starts it. Blocks until it runs. `onEnd` is called when it stops by itself, with nil at the end
    /// of what there was to show. Throws ``MediaError``.
    init(
        _ source: Source, content: ScreenContent, inlet: FrameInlet,
        onEnd: @escaping @Sendable (MediaNotice.ScreenEnd?) -> Void
    ) throws(MediaError) {
        let (frames, loop) = (ScreenFrames(inlet), FileLoop(isFile: source.isFile))
        pipeline = try Pipeline { message in
            switch message {
            case .error(let text): onEnd(.failed(text))
            case .endOfStream: if !loop.restart() { onEnd(nil) }
            case .latencyChanged: break
            }
        }
        self.frames = frames
        let repeatsItself = source.isNode
        repeating = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: StillScreen.interval / 2)
                frames.repeatIfDue()
                if repeatsItself, frames.hasGone { return onEnd(.gone) }
            }
        }
        loop.pipeline = pipeline.element
        let tail = try Self.makeTail(content, isPaced: source.isFile)
        try tail.child("frames").onSample { frames.show($0) }
        pipeline.element.add(tail)
        try Self.addHead(source, content, to: pipeline.element, before: tail)
        guard pipeline.element.setState(GST_STATE_PLAYING), pipeline.element.waitForState(within: .seconds(5)) else {
            close()
            throw .device(.screenNotCaptured)
        }
    }

    /// Closes the source. Blocks until its thread is gone.
    func close() {
        repeating.cancel()
        pipeline.close()
        frames.clear()
    }

    /// Brings pictures to the call's format, in at most the size of the content.
    static func makeTail(_ content: ScreenContent, isPaced: Bool) throws(MediaError) -> Element {
        let tail = try Element.bin(
            """
            queue leaky=\(isPaced ? "no" : "downstream") max-size-buffers=2 max-size-bytes=0 max-size-time=0 ! \
            videorate name=limit drop-only=true max-rate=\(content.rate) ! videoconvert n-threads=2 ! videoscale n-threads=2 ! \
            \(PictureColours.chain) ! appsink name=frames sync=\(isPaced) max-buffers=2 drop=true
            """)
        try tail.child(PictureColours.filter).setCaps(
            "\(PictureColours.format),width=[16,\(content.size.width)],height=[16,\(content.size.height)]")
        try PictureColours.follow("limit", in: tail)
        return tail
    }

    private static func addHead(
        _ source: Source, _ content: ScreenContent, to pipeline: Element, before tail: Element
    ) throws(MediaError) {
        let head: Element
        switch source {
        case .node(let descriptor, let id):
            // What was not chosen must never take the place of a screen that has gone. No desktop tells the shape of its pixels, and
            // PipeWire 1.4 then takes the least one that could be scaled, 1:2147483647.
            head = try Element.bin(
                """
                pipewiresrc name=node fd=\(descriptor) path=\(id) do-timestamp=true keepalive-time=1000 \
                stream-properties="props,node.dont-reconnect=true" ! \
                capsfilter caps=video/x-raw,pixel-aspect-ratio=1/1
                """)
            CaptureChains.keepCopies(try head.child("node"))
        case .test:
            head = try Element.bin(
                """
                videotestsrc is-live=true pattern=ball foreground-color=0xffffffff background-color=0xffa02080 ! \
                capsfilter caps=video/x-raw,width=1280,height=720,framerate=\(content.rate)/1
                """)
        case .file:
            try CaptureChains.addHead(
                source.asCapture, kind: .video, size: content.size, to: pipeline,
                before: tail)
            return
        }
        pipeline.add(head)
        guard head.link(to: tail) else { throw .device(.screenUnusable) }
    }
}

extension ScreenCapture.Source {
    fileprivate var isNode: Bool { if case .node = self { true } else { false } }

    fileprivate var isFile: Bool { if case .file = self { true } else { false } }

    fileprivate var asCapture: Capture.Source { if case .file(let path) = self { .file(path) } else { .test(0) } }
}

/// Begins a file again at its end.
private final class FileLoop: Sendable {
    private let isFile: Bool
    private let state = Shared<WeakElement>(WeakElement())

    private struct WeakElement: Sendable { weak var element: Element? }

    init(isFile: Bool) { self.isFile = isFile }

    var pipeline: Element? {
        get { state.value.element }
        set { state.value = WeakElement(element: newValue) }
    }

    /// Goes back to the beginning; false when there is none.
    func restart() -> Bool {
        guard isFile, let pipeline else { return false }
        // Not on the streaming thread: a flushing seek waits for it.
        MediaQueue.start { gst_element_seek_simple(pipeline.pointer(), GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 0) }
        return true
    }
}
