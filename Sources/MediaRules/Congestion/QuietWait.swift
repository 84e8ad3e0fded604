import BaseKit

/// How long what has come waits to be played: as long as a missing packet is waited for, or only for what comes late, once no packet has been
/// missing for a while.
///
/// When the first is missing again, pictures stand still until it has come. The longer nothing has to be missing before the next try then.
struct QuietWait: Sendable, Equatable {
    /// The time that must pass before the wait gets shorter: at first, and after it was too short again and again.
    static let patience: Duration = .seconds(10), longestPatience: Duration = .seconds(160)
    /// What a picture needs, behind the time at which nearly all have come, for being decoded and converted.
    static let pictureMargin = 40
    /// The delay of a packet of sound while none has come.
    static let usualDelay = 10
    /// Waits are multiples of so many milliseconds, and get shorter by two of them at least.
    static let step = 10

    /// How long it is; nil for as long as a missing packet is waited for.
    private var short: PlayoutWait?
    private var lowerSince: Instant?
    private var highest = PlayoutWait(pictures: 0, sound: 0)
    private var patience = Self.patience
    /// When it was made shorter; nil when it has been made longer since.
    private var shortenedAt: Instant?

    /// Whether what has come waits only for what comes late.
    var isShort: Bool { short != nil }

    /// Takes how packets came lately, where a missing one is waited for `latency`, and gives how long what has come waits.
    mutating func update(_ arrivals: PacketArrivals, latency: Int, own: Int?, now: Instant) -> PlayoutWait {
        // Each packet of sound is decoded when the next has come.
        let full = PlayoutWait(
            pictures: latency, sound: max(arrivals.packet + Self.usualDelay, PlayoutDelay.shortest))
        if arrivals.areSomeMissing {
            if short != nil { wasTooShort(now: now) }
            short = nil
            lowerSince = nil
        } else if let needed = Self.need(arrivals, own: own) {
            follow(PlayoutWait(pictures: min(needed.pictures, latency), sound: needed.sound), full, now: now)
        } else {
            lowerSince = nil
        }
        if let wait = short, wait.pictures >= latency { short = nil }
        return short ?? full
    }

    private mutating func follow(_ needed: PlayoutWait, _ full: PlayoutWait, now: Instant) {
        if let wait = short, wait.union(needed) != wait {
            let longer = wait.union(needed)
            short = longer
            lowerSince = nil
            if longer.sound >= wait.sound + 2 * Self.step || longer.pictures >= wait.pictures + 2 * Self.step {
                wasTooShort(now: now)
            }
            return
        }
        guard needed.pictures <= (short ?? full).pictures - 2 * Self.step else {
            lowerSince = nil
            return
        }
        guard let since = lowerSince else {
            (lowerSince, highest) = (now, needed)
            return
        }
        highest = highest.union(needed)
        guard now - since >= patience else { return }
        (short, shortenedAt, lowerSince) = (highest, now, nil)
    }

    private mutating func wasTooShort(now: Instant) {
        guard let shortened = shortenedAt else { return }
        shortenedAt = nil
        patience = now - shortened > Self.longestPatience * 2 ? Self.patience : min(patience * 2, Self.longestPatience)
    }

    /// What packets need that come late; nil where none come.
    private static func need(_ arrivals: PacketArrivals, own: Int?) -> PlayoutWait? {
        guard arrivals.pictures != nil || arrivals.sound != nil else { return nil }
        let sound = max(rounded(arrivals.sound ?? usualDelay), PlayoutDelay.shortest)
        let pictures = max(
            arrivals.pictures.map { rounded($0 + pictureMargin) } ?? 0,
            PlayoutDelay.pictures(besideSound: sound, own: own))
        return PlayoutWait(pictures: pictures, sound: sound)
    }

    private static func rounded(_ milliseconds: Int) -> Int { (milliseconds + step - 1) / step * step }
}
