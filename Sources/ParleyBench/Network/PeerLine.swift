import Media
import MediaRules

/// What a side of a measured call and the program that started it say to each other.
enum PeerLine: JSONLine {
    case offer(LocalDescription)
    case answer(LocalDescription)
    case candidates([MediaCandidate])
    /// The first picture of the peer was shown.
    case started
    /// The question for figures.
    case ask
    case figures(PeerFigures)
    case failed(String)
}

/// Counts of one side since the call began, and what it knows of the network.
struct PeerFigures: Codable, Sendable {
    var sent = 0
    /// Bytes of encoded pictures and sound that were received.
    var bytes = 0
    /// Pictures that were shown, at their time.
    var shown = 0
    var sound = 0
    /// Pictures of the peer's screen and packets of its sound that arrived.
    var screen = 0
    var screenSound = 0
    var rejected = 0
    var target = 0
    var loss = 0.0
    /// The pictures' size as they are sent, such as "640x480", and what keeps them from being larger.
    var size = ""
    var limit = ""
    /// The part of the time between two pictures that encoding one takes.
    var encodeLoad = 0.0
    var roundTrip: Int?
    var jitterLatency = 0
    /// The longest time without a new picture since the last question, in milliseconds.
    var gap = 0
    /// The time since then in which pictures stood still: that of all pauses of more than 200 ms, in milliseconds.
    var frozen = 0
    /// The longest time since then without decoded sound, in milliseconds; what the decoder makes up does not count.
    var soundGap = 0
    /// The rows of the picture that is shown.
    var rows = 0
    /// Milliseconds from making or taking the call to the first picture of ``PictureTimes/largeRows``; nil: there was none.
    var large: Double?
    /// A picture that is shown, where one is to be told and it is new; and how much those since the last question were like the film's.
    var picture: LumaPicture?
    var similarity: Double?

    init() {}

    init(_ statistics: MediaStatistics, pictures: PictureTimes.Counts, soundGap: Int) {
        sent = statistics.sent.videoFrames
        shown = pictures.count
        (gap, frozen, rows) = (pictures.gap, pictures.frozen, pictures.rows)
        self.soundGap = soundGap
        sound = statistics.received.audioFrames
        bytes = statistics.received.bytes
        screen = statistics.received.screenFrames
        screenSound = statistics.received.screenSoundFrames
        rejected = statistics.received.framesRejected
        target = statistics.link.target
        loss = statistics.link.loss
        size = statistics.link.size.map { "\($0.width)x\($0.height)" } ?? ""
        limit = statistics.link.limit.rawValue
        encodeLoad = statistics.link.encodeLoad
        roundTrip = statistics.link.roundTrip
        jitterLatency = statistics.link.jitterLatency
    }
}
