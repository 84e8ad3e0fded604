import Foundation
import MediaRules

/// What one end of a measured call is told to do. The same for Parley's and for a browser's page, as JSON.
enum CallOrder: JSONLine {
    /// The person accepts: make an offer.
    case makeOffer
    case takeOffer(LocalDescription)
    case takeAnswer(LocalDescription)
    case candidates([MediaCandidate])
    /// Send at most so many bits of pictures a second.
    case limit(Int)
    /// Say how much was shown and sent.
    case count
    /// Look at all that is captured and shown for so many seconds.
    case observe(Double)
}

/// What an end of a measured call tells.
enum CallEvent: JSONLine {
    /// It can be told to call.
    case ready
    case offer(LocalDescription)
    case answer(LocalDescription)
    case candidates([MediaCandidate])
    /// The peer's first picture is shown.
    case firstPicture
    case counted(CallCounts)
    case observed(CallObservation)
    case failed(String)
}

/// How much there was since the call began.
struct CallCounts: Codable, Sendable, Equatable {
    /// Pictures that were shown.
    var pictures = 0
    /// Bytes of encoded pictures and sound that were received.
    var bytes = 0
    /// The size of the pictures that are shown.
    var width = 0
    var height = 0
    /// Frames that were encrypted, decrypted, or could not be.
    var sealed = 0
    var opened = 0
    var failed = 0
}

/// What an end saw. Times are milliseconds of the system's clock.
struct CallObservation: Codable, Sendable {
    /// Time codes of the own pictures and of the peer's.
    var captured: [Delays.Sighting] = []
    var shown: [Delays.Sighting] = []
    /// Beeps that the own microphone heard, where only this end can know.
    var spoken: [Double] = []
    /// Some of the peer's pictures.
    var pictures: [LumaPicture] = []
}
