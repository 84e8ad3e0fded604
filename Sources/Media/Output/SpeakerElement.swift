import GLibKit
import MediaRules

/// The element that has a loudspeaker open, in whichever pipeline.
struct SpeakerElement: Sendable {
    let element: Element
    /// Whether it can change to another device while it plays.
    private let isPulse: Bool

    /// Opens nothing yet. `isForCall`: it is to play at once, at the time that the sound says. Throws ``MediaError/device(_:)``.
    init(_ device: FoundDevice, isForCall: Bool = false) throws(MediaError) {
        element = try device.makeElement()
        isPulse = device.pulseName != nil
        guard isForCall else { return }
        element.set("processing-deadline", PlayoutDelay.lastStep * 1_000_000)
        guard isPulse else { return }
        element.set("buffer-time", PlayoutDelay.speakerBuffer * 1_000)
        element.set("latency-time", PlayoutDelay.speakerPart * 1_000)
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
