import GLibKit
import MediaRules

/// The element that has a loudspeaker open, in whichever pipeline.
struct SpeakerElement: Sendable {
    let element: Element
    /// Whether it is a sound server's: it can change to another device while it plays, and has a buffer as large as it was told.
    let isPulse: Bool

    /// Opens nothing yet. `callBuffer`: it is to play at once, at the time that the sound says, with so many milliseconds of buffer. Throws
    /// ``MediaError/device(_:)``.
    init(_ device: FoundDevice, callBuffer: Int? = nil) throws(MediaError) {
        element = try device.makeElement()
        isPulse = device.pulseName != nil
        guard let callBuffer else { return }
        element.set("processing-deadline", PlayoutDelay.lastStep * 1_000_000)
        guard isPulse else { return }
        element.set("buffer-time", callBuffer * 1_000)
        element.set("latency-time", SpeakerBuffer.part * 1_000)
        // GStreamer takes 40 ms for each of the two, and waits a second: sound could be that far from its place for good.
        element.set("drift-tolerance", PlayoutDelay.tolerance * 1_000)
        element.set("alignment-threshold", PlayoutDelay.tolerance * 1_000_000)
        element.set("discont-wait", 200_000_000)
    }

    /// Changes to another loudspeaker while the sound goes on; false when that is not possible with these two.
    func retarget(to device: FoundDevice) -> Bool {
        guard isPulse, let name = device.pulseName else { return false }
        return element.set("device", name)
    }
}
