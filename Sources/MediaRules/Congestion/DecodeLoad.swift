import BaseKit

/// How long the peer's pictures take to decode, and the size that this machine decodes in time.
package struct DecodeLoad: Sendable, Equatable {
    /// The part of the time between two pictures above which the machine is too slow, and below which larger ones may be tried.
    static let most = EncodeLoad.most, comfortable = EncodeLoad.comfortable
    /// How long it is too slow before smaller pictures are asked for, and for how long at first it has time to spare before larger ones.
    static let patienceDown: Duration = .seconds(3), patienceUp: Duration = .seconds(15)
    /// The longest time before a size is tried again that was too much.
    static let longestPatience: Duration = .seconds(240)
    /// The part of the newest picture in the means.
    static let weight = 1.0 / 16
    /// A longer time between two pictures is a pause.
    static let pause: Duration = .seconds(1)

    /// The largest pictures that the machine decodes in time, as far as it is known.
    package private(set) var limit: PictureSize?
    /// Seconds a picture takes of late; 0 before the first.
    package private(set) var mean = 0.0
    private var interval = 0.0
    private var size: PictureSize?
    private var index = 0
    private var lastAt: Instant?
    private var overSince: Instant?
    private var calmSince: Instant?
    private var raisedAt: Instant?
    private var patience = Self.patienceUp

    package init() {}

    /// The part of the time between two pictures that decoding one takes of late; 0 before the second.
    package var part: Double { interval > 0 ? mean / interval : 0 }

    /// The same while pictures come; 0 when none has come for a while.
    package func part(now: Instant) -> Double { now.isAfter(lastAt, by: Self.pause) ? 0 : part }

    /// A picture of this size was decoded in so long, and is there now.
    package mutating func decoded(in time: Duration, size: PictureSize, now: Instant) {
        let (seconds, last) = (time.inSeconds, lastAt)
        lastAt = now
        guard size == self.size, let last, now - last < Self.pause else {
            (self.size, mean, interval, overSince, calmSince) = (size, seconds, 0, nil, nil)
            return
        }
        let distance = (now - last).inSeconds
        mean += (seconds - mean) * Self.weight
        interval = interval > 0 ? interval + (distance - interval) * Self.weight : distance
        if part > Self.most { lower(size, now: now) } else { raise(size, now: now) }
    }

    private mutating func lower(_ size: PictureSize, now: Instant) {
        calmSince = nil
        let since = overSince ?? now
        overSince = since
        guard now - since >= Self.patienceDown else { return }
        overSince = nil
        let next = VideoStep.index(forPixels: size.pixels) + 1
        guard next < VideoStep.all.count else { return }
        if let raisedAt, now - raisedAt < patience * 2 { patience = min(patience * 2, Self.longestPatience) }
        raisedAt = nil
        index = next
        limit = size.reduced(to: VideoStep.all[next].pixels)
    }

    private mutating func raise(_ size: PictureSize, now: Instant) {
        overSince = nil
        guard let limit, size.pixels >= limit.pixels, index > 0 else { return }
        let above = VideoStep.all[index - 1].pixels
        guard part * Double(above) / Double(size.pixels) < Self.comfortable else {
            calmSince = nil
            return
        }
        let since = calmSince ?? now
        calmSince = since
        guard now - since >= patience else { return }
        calmSince = nil
        raisedAt = now
        index -= 1
        // What the largest step has is no limit.
        let factor = (Double(above) / Double(limit.pixels)).squareRoot()
        self.limit =
            index == 0
            ? nil
            : PictureSize(
                width: Int((Double(limit.width) * factor).rounded()),
                height: Int((Double(limit.height) * factor).rounded()))
    }
}
