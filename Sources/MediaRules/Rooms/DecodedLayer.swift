import BaseKit

/// The largest pictures of one feed of a room that this machine decodes in time. A peer of a call of two is told a size (``DecodeLoad``), of
/// a room there are three to choose from.
///
/// Where many decoders share few processors each takes longer, so that all of their feeds become smaller.
struct DecodedLayer: Sendable, Equatable {
    /// How many pixels small pictures have, and how many times as many as the smallest.
    static let small = 320 * 240, growth = 4.0

    /// What may be asked for.
    private(set) var most = ForwardedLayer.high
    private var overSince: Instant?
    private var calmSince: Instant?
    private var raisedAt: Instant?
    private var patience = DecodeLoad.patienceUp

    /// Decoding the pictures of it that are shown takes this part of the time between two of them, 0 while none come. Large ones are of
    /// `large` at most.
    mutating func update(_ part: Double, of shown: ForwardedLayer?, large: PictureSize, now: Instant) {
        // What is shown may be larger still than what was asked for.
        guard let shown, part > 0, shown.steps <= most.steps else {
            (overSince, calmSince) = (nil, nil)
            return
        }
        if part > DecodeLoad.most {
            lower(from: shown, now: now)
        } else if shown == most {
            raise(part * (most == .low ? Double(large.pixels) / Double(Self.small) : Self.growth), now: now)
        } else {
            (overSince, calmSince) = (nil, nil)
        }
    }

    private mutating func lower(from shown: ForwardedLayer, now: Instant) {
        calmSince = nil
        let since = overSince ?? now
        overSince = since
        guard now - since >= DecodeLoad.patienceDown, let smaller = shown.smaller else { return }
        if let raisedAt, now - raisedAt < patience * 2 { patience = min(patience * 2, DecodeLoad.longestPatience) }
        (most, raisedAt, overSince) = (smaller, nil, nil)
    }

    /// Larger ones would take this part of the time.
    private mutating func raise(_ part: Double, now: Instant) {
        overSince = nil
        guard let larger = most.larger, part < DecodeLoad.comfortable else {
            calmSince = nil
            return
        }
        let since = calmSince ?? now
        calmSince = since
        guard now - since >= patience else { return }
        (most, raisedAt, calmSince) = (larger, now, nil)
    }
}

extension ForwardedLayer {
    /// The next smaller and larger pictures.
    fileprivate var smaller: ForwardedLayer? {
        switch self {
        case .high: .low
        case .low: .lowest
        case .lowest, .none: nil
        }
    }

    fileprivate var larger: ForwardedLayer? {
        switch self {
        case .lowest: .low
        case .low: .high
        case .high, .none: nil
        }
    }
}
