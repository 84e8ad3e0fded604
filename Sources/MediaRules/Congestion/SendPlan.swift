import BaseKit

/// What is sent, from what the network carries: the rules behind ``SendControl``, without elements, threads or clocks.
package struct SendPlan: Sendable {
    /// What to change now; nil where nothing changes.
    package struct Change: Sendable, Equatable {
        /// Bits a second for the picture's encoder.
        package var videoBitrate: Int?
        /// Bits a second for the screen's encoder.
        package var screenBitrate: Int?
        /// Bits a second at which packets may leave.
        package var pacingRate: Int?
        /// Size and rate of the pictures.
        package var step: VideoStep?
        /// Percent of packets the sound's encoder is to expect to be lost.
        package var expectedLoss: Int?
        /// How the voice is encoded.
        package var sound: SoundStep?
        /// Pictures are sent again that were paused.
        package var resumesPictures = false
        /// What was made for a far higher rate and still waits is let go, up to the next key frame.
        package var dropsWaiting = false

        package init(
            videoBitrate: Int? = nil, screenBitrate: Int? = nil, pacingRate: Int? = nil, step: VideoStep? = nil,
            expectedLoss: Int? = nil
        ) {
            (self.videoBitrate, self.screenBitrate, self.pacingRate) = (videoBitrate, screenBitrate, pacingRate)
            (self.step, self.expectedLoss) = (step, expectedLoss)
        }

        /// A later change wins where it says something.
        package mutating func add(_ later: Change) {
            videoBitrate = later.videoBitrate ?? videoBitrate
            screenBitrate = later.screenBitrate ?? screenBitrate
            pacingRate = later.pacingRate ?? pacingRate
            step = later.step ?? step
            expectedLoss = later.expectedLoss ?? expectedLoss
            sound = later.sound ?? sound
            resumesPictures = later.resumesPictures || resumesPictures
            dropsWaiting = later.dropsWaiting || dropsWaiting
        }
    }

    /// What the voice takes of the target at most, and what the headers of pictures do (bits a second).
    static let audioShare = SoundStep.all[0].share, headerShare = 16_000
    /// Bits a second that a picture needs to be one.
    static let lowestVideo = 30_000
    /// The largest part of the rate that is kept for what is sent again.
    static let mostResent = 0.3
    /// The time without a picture that is a pause, and without feedback on them that is too long.
    static let pause: Duration = .milliseconds(500), silence: Duration = .milliseconds(350)
    /// The same before the first news, which need a round trip.
    static let firstSilence: Duration = .seconds(1)
    /// The time without feedback on what is sent after which the path was broken rather than full: a full one lets some through.
    static let outage: Duration = .seconds(4)
    /// How long a voice alone has gone well where pictures begin as in a new call.
    static let calm: Duration = .seconds(10)
    /// Most bits a second, of all that is sent, while data are saved.
    static let mostSaving = 250_000
    /// Smaller changes of the rate than this part are not worth telling the encoder.
    static let worthwhile = 0.03

    private var controller: any BandwidthController
    private var steps = VideoSteps()
    private var bounds = PictureBounds()
    private var load = EncodeLoad()
    private var shares = SendShares()
    private var sound = SoundSteps()
    private var pausing = PicturePause()
    private var videoBitrate: Int?
    private var expectedLoss: Int?
    private var toldLossAt: Instant?
    private var expectsFeedback = false
    private var heardAt: Instant?
    private var sentSince: Instant?
    private var sentAt: Instant?
    /// Since when nothing has been heard of what is sent.
    private var missedSince: Instant?
    /// When the newest packet left of which it is known that it arrived.
    private var arrivedUntil: Instant?
    private var fall = RateFall()
    /// When what first arrived after the last outage was sent.
    private var resumedFrom: Instant?

    package init(controller: any BandwidthController) { self.controller = controller }

    /// Bits a second that all encoders together may produce now.
    package var target: Int { controller.target.bitrate }
    /// Part of the packets lost lately, 0…1.
    package var loss: Double { controller.loss }
    /// Bits a second that were well of late.
    package var good: Int { controller.good }
    /// Size and rate of pictures now.
    package var step: VideoStep { steps.step }
    /// What keeps pictures from being larger now.
    package var limit: PictureLimit {
        bounds.limit(at: steps.index, isSaving: shares.savesData && target * 10 >= Self.mostSaving * 9)
    }
    /// Whether there is no room for pictures.
    package var isPaused: Bool { pausing.isOn }
    /// The part of the time between two pictures that encoding one takes of late, and how long one takes, in seconds.
    package var encoding: (part: Double, time: Double) { (load.part, load.mean ?? 0) }

    /// What to set before anything is known.
    package mutating func begin() -> Change {
        var change = Change()
        controller.limit(to: useful)
        setRate(&change)
        change.step = steps.begin(bitrate: shares.split(videoShare).camera)
        return change
    }

    /// The camera gives pictures of this size.
    package mutating func setSource(_ size: PictureSize) -> Change {
        guard bounds.source != size else { return Change() }
        bounds.source = size
        return bound()
    }

    /// The peer shows the camera's pictures in this size; nil: it does not say.
    package mutating func setView(_ size: PictureSize?) -> Change {
        guard bounds.view != size else { return Change() }
        bounds.view = size
        return bound()
    }

    /// The voice is encoded by no better step than this one from now on, from 0.
    package mutating func limitSound(to step: Int) -> Change {
        var change = Change()
        change.sound = sound.limit(to: step)
        change.add(followRate())
        return change
    }

    /// Encoding a picture of the present step took so long.
    package mutating func encoded(in time: Duration, now: Instant) -> Change {
        guard load.encoded(in: time, step: steps.index, now: now) else { return Change() }
        bounds.machine = load.ceiling
        return bound()
    }

    private mutating func bound() -> Change {
        var change = Change()
        change.step = steps.limit(to: bounds.ceiling)
        controller.limit(to: useful)
        change.add(followRate())
        return change
    }

    /// Bits a second, of all that is sent, above which nothing becomes better.
    private var useful: Int {
        let pictures = shares.most(camera: VideoStep.all[bounds.ceiling].most)
        let all = Self.audioShare + Self.headerShare + shares.extra + pictures
        return shares.savesData ? min(all, Self.mostSaving) : all
    }

    /// A picture has left the encoder.
    package mutating func sent(now: Instant) {
        if sentAt.map({ now - $0 > Self.pause }) ?? true {
            sentSince = now
            if isVoiceCalm(now: now) { controller.begin(now: now) }
        }
        sentAt = now
    }

    /// Whether a voice alone has gone well at its best for a while.
    private func isVoiceCalm(now: Instant) -> Bool {
        guard let since = sound.bestSince else { return false }
        return now - max(since, controller.congestion?.at ?? since) >= Self.calm
    }

    /// Time has passed. Pictures that leave and of which nothing is heard are too many: feedback is lost where they are.
    package mutating func poll(now: Instant) -> Change {
        if controller.hearsElsewhere { return follow(now: now) }
        guard isSending(now: now) else { return followVoice(now: now) }
        guard let sentSince, heardAt != nil || expectsFeedback else { return Change() }
        let silentSince = max(heardAt ?? sentSince, sentSince)
        guard now - silentSince > (heardAt == nil ? Self.firstSilence : Self.silence) else { return Change() }
        missedSince = missedSince ?? silentSince
        controller.missFeedback(now: now)
        return follow(now: now)
    }

    /// The peer is to tell of packets what becomes of them.
    package mutating func expectFeedback() { expectsFeedback = true }

    /// Takes the reports of one feedback packet.
    package mutating func receive(_ packets: [PacketReport], now: Instant) -> Change {
        // Before the first news there was no path that could have been broken.
        if heardAt == nil { missedSince = nil }
        heardAt = now
        let isResumed = resume(with: packets, now: now)
        // What was lost in an outage was not too much.
        let counted = resumedFrom.map { from in packets.filter { $0.arrivedAt != nil || $0.sentAt >= from } } ?? packets
        controller.receive(counted, now: now)
        return isResumed ? begin() : follow(now: now)
    }

    /// Whether the peer gives feedback on each packet.
    package var hasFeedback: Bool { heardAt != nil }

    /// Takes what a peer says that gives no feedback on each packet; of one that does it is not needed.
    package mutating func receive(_ report: ReceptionReport, now: Instant) -> Change {
        guard heardAt == nil else { return Change() }
        controller.receive(report, isSending: isSending(now: now), now: now)
        return follow(now: now)
    }

    /// Follows what becomes of a voice that is sent without pictures.
    private mutating func followVoice(now: Instant) -> Change {
        var change = Change()
        change.sound = sound.update(alone: controller.congestion, now: now)
        let rate = controller.target.bitrate
        if pausing.update(rate: rate, bestSince: sound.bestSince, congestion: controller.congestion, now: now) {
            change.resumesPictures = true
            // What the voice alone could take is not to be in their way.
            change.sound = sound.begin(bitrate: rate)
        }
        return change
    }

    /// Whether pictures are sent.
    private func isSending(now: Instant) -> Bool {
        sentAt.map { now - $0 <= Self.pause } ?? false || controller.sendsElsewhere(now: now)
    }

    /// Whether these packets are the first that arrive after an outage.
    private mutating func resume(with packets: [PacketReport], now: Instant) -> Bool {
        let last = packets.last { $0.arrivedAt != nil }?.sentAt
        defer { if let last { arrivedUntil = max(last, arrivedUntil ?? last) } }
        guard let since = missedSince, let first = packets.first(where: { $0.arrivedAt != nil }) else { return false }
        missedSince = nil
        // Where something came that left meanwhile, only the news of it were late: they waited in a full queue.
        guard now - since >= Self.outage, first.sentAt - (arrivedUntil ?? since) >= Self.outage else { return false }
        resumedFrom = first.sentAt
        controller.resume(now: now)
        return true
    }

    private mutating func followRate() -> Change {
        var change = Change()
        let known = Double(videoBitrate ?? 0)
        if abs(Double(videoShare) - known) > Self.worthwhile * known { setRate(&change) }
        return change
    }

    private mutating func follow(now: Instant) -> Change {
        var change: Change
        if isSending(now: now) {
            let step = sound.update(bitrate: controller.narrowest - shares.extra, now: now)
            change = followRate()
            change.sound = step
            let (rate, loss, congestion) = (controller.target.bitrate, controller.loss, controller.congestion)
            if mayPause { pausing.update(rate: rate, loss: loss, congestion: congestion, now: now) }
        } else {
            change = followVoice(now: now)
            change.add(followRate())
        }
        change.dropsWaiting = fall.update(controller.target.bitrate, now: now)
        let video = videoShare
        change.step = steps.update(bitrate: shares.split(video).camera, now: now)
        let percent = min(max(Int((controller.loss * 100).rounded(.up)), 5), 30)
        if percent != expectedLoss, now.isAfter(toldLossAt, by: .seconds(1)) {
            expectedLoss = percent
            toldLossAt = now
            change.expectedLoss = percent
        }
        return change
    }

    /// A burst to send now, which shows whether more comes through; nil: none. Only while pictures leave: it is made of their packets.
    package mutating func probe(now: Instant) -> Probe? {
        guard missedSince == nil, isSending(now: now) else { return nil }
        return controller.probe(now: now)
    }

    /// A burst that was asked for has left between two moments; without them it could not.
    package mutating func sent(_ probe: Probe, between moments: (from: Instant, to: Instant)?, now: Instant) {
        controller.sent(probe, between: moments, now: now)
    }

    /// What is sent changes, such as that a screen is shared.
    package mutating func setShares(_ new: SendShares) -> Change {
        guard new != shares else { return Change() }
        shares = new
        steps.need = shares.isReadInCamerasPlace ? SendShares.screenNeed : 1
        var change = begin()
        if pausing.isOn, !mayPause {
            pausing.end()
            change.resumesPictures = true
        }
        return change
    }

    /// A screen is worth more than the voice's quality, and ways of a group have pictures of their own.
    private var mayPause: Bool {
        !shares.hasScreen && !shares.isScreenInCamerasPlace && !controller.hearsElsewhere
    }

    /// What is left for pictures: what is lost is sent again, out of the same rate.
    private var videoShare: Int {
        let rest = Double(controller.target.bitrate - sound.step.share - Self.headerShare - shares.extra)
        return max(Int(rest * (1 - min(controller.loss, Self.mostResent))), Self.lowestVideo)
    }

    private mutating func setRate(_ change: inout Change) {
        let video = videoShare
        videoBitrate = video
        let (camera, screen) = shares.split(video)
        change.videoBitrate = camera
        if shares.hasScreen { change.screenBitrate = screen }
        change.pacingRate = max(controller.target.pacingRate, Self.audioShare + Self.lowestVideo)
    }
}
