/// What is sent, from what the network carries: the rules behind ``SendControl``, without elements, threads or clocks.
struct SendPlan: Sendable {
    /// What to change now; nil where nothing changes.
    struct Change: Sendable, Equatable {
        /// Bits a second for the picture's encoder.
        var videoBitrate: Int?
        /// Bits a second at which packets may leave.
        var pacingRate: Int?
        /// Size and rate of the pictures.
        var step: VideoStep?
        /// Percent of packets the sound's encoder is to expect to be lost.
        var expectedLoss: Int?

        /// A later change wins where it says something.
        mutating func add(_ later: Change) {
            videoBitrate = later.videoBitrate ?? videoBitrate
            pacingRate = later.pacingRate ?? pacingRate
            step = later.step ?? step
            expectedLoss = later.expectedLoss ?? expectedLoss
        }
    }

    /// What Opus at 32 kbit/s with its headers takes of the target (bits a second).
    static let audioShare = 48_000
    /// Bits a second that a picture needs to be one.
    static let lowestVideo = 50_000
    /// Smaller changes of the rate than this part are not worth telling the encoder.
    static let worthwhile = 0.03

    private var controller: any BandwidthController
    private var steps = VideoSteps()
    private var videoBitrate: Int?
    private var expectedLoss: Int?
    private var toldLossAt: Int64?

    init(controller: any BandwidthController) { self.controller = controller }

    /// Bits a second that all encoders together may produce now.
    var target: Int { controller.target.bitrate }
    /// Part of the packets lost lately, 0…1.
    var loss: Double { controller.loss }
    /// Size and rate of pictures now.
    var step: VideoStep { steps.step }

    /// What to set before anything is known.
    mutating func begin() -> Change {
        var change = Change()
        setRate(&change)
        return change
    }

    /// Takes the reports of one feedback packet. `now` in milliseconds.
    mutating func receive(_ packets: [PacketReport], now: Int64) -> Change {
        controller.receive(packets, now: now)
        var change = Change()
        let video = max(controller.target.bitrate - Self.audioShare, Self.lowestVideo)
        let known = Double(videoBitrate ?? 0)
        if abs(Double(video) - known) > Self.worthwhile * known { setRate(&change) }
        change.step = steps.update(bitrate: video, now: now)
        let percent = min(max(Int((controller.loss * 100).rounded(.up)), 5), 30)
        if percent != expectedLoss, now - (toldLossAt ?? .min / 2) >= 1_000 {
            expectedLoss = percent
            toldLossAt = now
            change.expectedLoss = percent
        }
        return change
    }

    private mutating func setRate(_ change: inout Change) {
        let video = max(controller.target.bitrate - Self.audioShare, Self.lowestVideo)
        videoBitrate = video
        change.videoBitrate = video
        change.pacingRate = max(controller.target.pacingRate, Self.audioShare + Self.lowestVideo)
    }
}
