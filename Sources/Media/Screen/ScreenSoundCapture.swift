import CGStreamer
import GLibKit
import MediaRules

/// The running sound of a shared screen.
enum ScreenSoundCapture: Sendable {
    case system(SystemSound)
    case test(Pipeline)

    /// Opens it; nil for none. Blocks. Throws ``MediaError``.
    static func open(
        _ sound: ScreenSound, inlet: FrameInlet, onEnd: @escaping @Sendable () -> Void
    ) throws(MediaError) -> ScreenSoundCapture? {
        switch sound {
        case .none: return nil
        case .system: return .system(try SystemSound(inlet: inlet, onEnd: onEnd))
        case .test:
            let pipeline = try Pipeline { _ in }
            let chain = try Element.bin(
                """
                audiotestsrc is-live=true freq=1320 volume=0.1 samplesperbuffer=960 ! \
                audio/x-raw,format=S16LE,rate=48000,channels=2 ! appsink name=frames sync=false max-buffers=20 drop=true
                """)
            try chain.child("frames").onSample { inlet.push($0) }
            pipeline.element.add(chain)
            pipeline.element.setState(GST_STATE_PLAYING)
            return .test(pipeline)
        }
    }

    /// Closes it. Blocks.
    func close() {
        switch self {
        case .system(let sound): sound.close()
        case .test(let pipeline): pipeline.close()
        }
    }
}
