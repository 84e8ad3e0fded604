import BaseKit

/// How long pictures take to encode, and which step this machine can do in time.
struct EncodeLoad: Sendable, Equatable {
    /// The part of the time between two pictures above which the machine is too slow, and below which a better step may be tried.
    static let most = 0.7, comfortable = 0.5
    /// How long it is too slow before a change, and for how long at first it has time to spare before one.
    static let patienceDown: Duration = .seconds(3), patienceUp: Duration = .seconds(15)
    /// The longest time before a better step is tried again that was too much.
    static let longestPatience: Duration = .seconds(240)
    /// The part of the newest picture in the mean.
    static let weight = 1.0 / 16

    /// The best step that the machine does in time.
    private(set) var ceiling = 0
    /// Seconds a picture takes of late; nil before the first.
    private(set) var mean: Double?
    private var step: Int?
    private var overSince: Instant?
    private var calmSince: Instant?
    private var raisedAt: Instant?
    private var patience = Self.patienceUp

    init() {}

    /// The part of the time between two pictures that encoding one takes of late; 0 before the first.
    var part: Double { (mean ?? 0) * Double(step.map { VideoStep.all[$0].frameRate } ?? 0) }

    /// A picture of a step was encoded in so long. Gives whether ``ceiling`` has changed.
    mutating func encoded(in time: Duration, step: Int, now: Instant) -> Bool {
        let seconds = time.inSeconds
        if step != self.step {
            (self.step, mean, overSince, calmSince) = (step, seconds, nil, nil)
        } else {
            mean = mean.map { $0 + (seconds - $0) * Self.weight } ?? seconds
        }
        guard part <= Self.most else { return lower(now: now) }
        overSince = nil
        return raise(now: now)
    }

    private mutating func lower(now: Instant) -> Bool {
        calmSince = nil
        let since = overSince ?? now
        overSince = since
        guard now - since >= Self.patienceDown, let step, step + 1 < VideoStep.all.count else { return false }
        overSince = nil
        if let raisedAt, now - raisedAt < patience * 2 { patience = min(patience * 2, Self.longestPatience) }
        raisedAt = nil
        ceiling = step + 1
        return true
    }

    private mutating func raise(now: Instant) -> Bool {
        guard ceiling > 0, step == ceiling, expected(at: ceiling - 1) < Self.comfortable else {
            calmSince = nil
            return false
        }
        let since = calmSince ?? now
        calmSince = since
        guard now - since >= patience else { return false }
        calmSince = nil
        raisedAt = now
        ceiling -= 1
        return true
    }

    /// The part that a picture of another step would take, as its pixels are more or fewer.
    private func expected(at other: Int) -> Double {
        part * Double(VideoStep.all[other].work) / Double(VideoStep.all[ceiling].work)
    }
}
