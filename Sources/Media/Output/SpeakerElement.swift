import GLibKit
import MediaRules

/// The element that has a loudspeaker open, in whichever pipeline.
struct SpeakerElement: Sendable {
    let element: Element
    /// Whether it can change to another device while it plays.
    private let isPulse: Bool

    /// Opens nothing yet. Throws ``MediaError/device(_:)``.
    init(_ device: FoundDevice) throws(MediaError) {
        element = try device.makeElement()
        isPulse = device.pulseName != nil
    }

    /// Changes to another loudspeaker while the sound goes on; false when that is not possible with these two.
    func retarget(to device: FoundDevice) -> Bool {
        guard isPulse, let name = device.pulseName else { return false }
        return element.set("device", name)
    }
}
