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
    /// Keep from now on when pictures are shown and what of the sound is made up. For pages alone.
    case follow
    /// Say what was kept since the last question. For pages alone.
    case sample
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
    case sampled(PageSample)
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

/// What a page kept since it was asked last, and what its browser counts since the call began (Identifiers for WebRTC's Statistics API).
/// Times are milliseconds of one clock.
struct PageSample: Codable, Sendable, Equatable {
    /// Samples of the voice that were made up, 48,000 a second, and how often that began.
    struct Concealment: Codable, Sendable, Equatable {
        var samples = 0
        var events = 0
    }

    /// When it was asked.
    var at = 0.0
    /// When pictures were shown since the last question, how many were since the beginning, and the rows of the last.
    var shown: [Double] = []
    var presented = 0
    var rows = 0
    /// How long it took from making or taking the call to the first picture of 720 rows; nil: there was none.
    var large: Double?
    /// One that is shown; nil where none is new.
    var picture: LumaPicture?
    /// Several times a second.
    var concealment: [Concealment] = []
    /// Packets of sound and bytes of all media that came.
    var packets = 0
    var bytes = 0
    /// The seconds that pictures waited in the jitter buffer together, and how many there were.
    var waited = 0.0
    var emitted = 0
    /// Pictures that were encoded, the seconds it took, the size of the last, and what kept it from being larger.
    var encoded = 0
    var encoding = 0.0
    var width = 0
    var height = 0
    var limit = ""
    /// Bits a second that may be sent.
    var target = 0.0
    /// Seconds there and back; nil: not known yet.
    var roundTrip: Double?
}
