import BaseKit
import CGStreamer
import GLibKit
import MediaRules
import Synchronization

/// The camera's pictures in one of the smaller sizes, or the screen's in its place: an encoder of their own, which works while some way
/// takes them.
final class SmallerPictures: Sendable {
    /// How long those for a server go without a key frame. Janus 1.1.2 passes nothing of a size on before a key frame of it, and asks for
    /// one once: where that is lost, and somebody gets smaller ones for want of larger ones, that one would see nothing for good.
    static let regularKeyFrames = Duration.seconds(3)

    let layer: PictureLayer
    /// Keeps them within what all ways carry that take them.
    let control: SendControl
    /// What is made, for the ways to which it goes.
    let frames: SealedFrames
    private let chain: SealingChain
    private let isMade = Atomic(false)
    /// Where they leave besides larger ones, by way.
    private let outlets = Lock<[Int: SealedOutlet]>([:])

    /// What `chain` makes goes to `frames`. Throws ``MediaError``.
    init(
        _ layer: PictureLayer, by chain: SealingChain, frames: SealedFrames, rates: MeshRates
    ) throws(MediaError) {
        (self.layer, self.chain, self.frames) = (layer, chain, frames)
        control = try chain.control(by: LowestRate(rates: rates, layer: layer), pacing: Pacing())
        setSize(isScreen: false)
    }

    /// Those of a screen are larger, as it is there to be read.
    func setSize(isScreen: Bool) { control.setView(Self.size(of: layer, isScreen: isScreen)) }

    private static func size(of layer: PictureLayer, isScreen: Bool) -> PictureSize {
        switch (layer, isScreen) {
        case (.lowest, false): PictureSize(width: 160, height: 120)
        case (.lowest, true): PictureSize(width: 320, height: 180)
        case (_, false): PictureSize(width: 320, height: 240)
        case (_, true): PictureSize(width: 640, height: 360)
        }
    }

    /// Whether they are made.
    func setOpen(_ isOpen: Bool) {
        isMade.store(isOpen, ordering: .relaxed)
        chain.setOpen(isOpen)
    }

    /// A picture was captured. On the thread that brings it.
    func receive(_ buffer: UnsafeMutablePointer<GstBuffer>, from pad: UnsafeMutablePointer<GstPad>) {
        guard isMade.load(ordering: .relaxed), let copy = gst_buffer_copy(buffer),
            let caps = gst_pad_get_current_caps(pad)
        else { return }
        chain.source.setSourceFormat(caps)
        gst_caps_unref(caps)
        gst_app_src_push_buffer(chain.source.pointer(), copy)
    }

    // MARK: Ways to a server

    /// Lets them go by a way besides larger ones.
    func connect(_ outlet: SealedOutlet, way: Int) {
        outlets.withLock { $0[way] = outlet }
        control.setRegularKeyFrames(Self.regularKeyFrames)
        frames.connect(outlet, way: way)
    }

    /// Whether such a way takes them now.
    func setTaken(_ isTaken: Bool, by way: Int) {
        guard let outlet = outlets.withLock({ $0[way] }) else { return }
        guard isTaken else { return frames.disconnect(way: way) }
        frames.connect(outlet, way: way)
        outlet.restart()
    }

    /// What waits at such a way is let go: it begins anew with a key frame.
    func restart(way: Int) { outlets.withLock { $0[way] }?.restart() }

    /// None go by a way any more.
    func disconnect(way: Int) {
        frames.disconnect(way: way)
        let isForServer = outlets.withLock { outlets in
            outlets[way] = nil
            return !outlets.isEmpty
        }
        if !isForServer { control.setRegularKeyFrames(nil) }
    }
}
