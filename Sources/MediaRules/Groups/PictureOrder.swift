import BaseKit

/// Brings the opened pictures of one member together, whichever ways they come by: the decoder gets each once, and in order.
///
/// A member's frames have numbers without gaps, the same on all ways. The first that brings a picture counts; what comes again is let go.
/// So a way can come or go while pictures run, without a key frame; and one makes up for what the other loses. Where none can bring a
/// missing picture any more, pictures begin anew with a key frame.
package struct PictureOrder<Picture: Sendable>: Sendable {
    /// How long a missing picture is waited for, and how many may wait behind it.
    private let patience: Duration = .milliseconds(150)
    private let mostHeld = 16
    /// A way by which nothing has come for so long brings nothing.
    private let silence: Duration = .milliseconds(500)
    private let mostWays = 8

    private struct Way: Sendable {
        var place: FramePlace
        var at: Instant
    }

    private var ways: [Int: Way] = [:]
    private var last: FramePlace?
    private var held: [UInt32: Picture] = [:]
    private var heldSince: Instant?
    private var needsKeyFrame = true
    /// The most pictures of one stream that were left out between two that were decoded.
    package private(set) var longestGap = 0
    /// The stream whose pictures are decoded; nil before the first.
    package var stream: GroupStream? { last?.stream }

    package init() {}

    /// What follows from a picture.
    package struct Outcome: Sendable {
        /// What is decoded now, in this order.
        package var pictures: [Picture] = []
        /// Whether nothing can be shown before a key frame.
        package var wantsKeyFrame = false
    }

    /// A picture was opened that came by a way.
    package mutating func receive(
        _ picture: Picture, at place: FramePlace, isKeyFrame: Bool, by way: Int, now: Instant
    ) -> Outcome {
        note(place, by: way, now: now)
        guard let last else { return begin(with: picture, at: place, isKeyFrame) }
        guard place.stream == last.stream else {
            // Others may still bring the pictures that are shown.
            let isCurrent = ways.contains { $0.key != way && $0.value.place.stream == last.stream }
            return isCurrent ? Outcome() : begin(with: picture, at: place, isKeyFrame)
        }
        guard place.generation >= last.generation else { return Outcome() }
        guard place.counter > last.counter else {
            // A member that has begun anew, with another key, counts anew.
            return place.generation > last.generation ? begin(with: picture, at: place, isKeyFrame) : Outcome()
        }
        if isKeyFrame { return begin(with: picture, at: place, true) }
        guard !needsKeyFrame else { return Outcome(wantsKeyFrame: true) }
        guard place.counter - last.counter > 1 else {
            self.last = place
            return Outcome(pictures: [picture] + successors())
        }
        return hold(picture, at: place, now: now)
    }

    /// Pictures were let go behind this: the next that is decoded is a key frame.
    package mutating func restart() {
        needsKeyFrame = true
        drop()
    }

    private mutating func note(_ place: FramePlace, by way: Int, now: Instant) {
        ways = ways.filter { now - $0.value.at < silence }
        if ways.count >= mostWays, ways[way] == nil { ways = [:] }
        ways[way] = Way(place: place, at: now)
    }

    private mutating func begin(with picture: Picture, at place: FramePlace, _ isKeyFrame: Bool) -> Outcome {
        guard isKeyFrame else { return Outcome(wantsKeyFrame: true) }
        let isSameStream = last?.stream == place.stream
        if isSameStream, let last, place.counter > last.counter {
            longestGap = max(longestGap, Int(place.counter - last.counter) - 1)
        }
        last = place
        needsKeyFrame = false
        if isSameStream { held = held.filter { $0.key > place.counter } } else { drop() }
        return Outcome(pictures: [picture] + successors())
    }

    private mutating func hold(_ picture: Picture, at place: FramePlace, now: Instant) -> Outcome {
        held[place.counter] = picture
        let since = heldSince ?? now
        heldSince = since
        // Each way keeps the order: one that is ahead of the hole does not fill it.
        let canCome = last.map { last in
            ways.values.contains { $0.place.stream == last.stream && $0.place.counter <= last.counter }
        }
        guard canCome == true, held.count <= mostHeld, now - since < patience else {
            restart()
            return Outcome(wantsKeyFrame: true)
        }
        return Outcome()
    }

    /// What was held and can be decoded now.
    private mutating func successors() -> [Picture] {
        var found: [Picture] = []
        while let counter = last?.counter, counter < .max, let next = held.removeValue(forKey: counter + 1) {
            last?.counter = counter + 1
            found.append(next)
        }
        if held.isEmpty || !found.isEmpty { heldSince = nil }
        return found
    }

    private mutating func drop() {
        held = [:]
        heldSince = nil
    }
}

/// Says by which way a member's sound is played: one at a time, and another only once nothing comes by it, so that no decoder gets every
/// other piece.
package struct SoundOrder: Sendable, Equatable {
    /// After so long without a piece another way may take over: five pieces.
    static let silence: Duration = .milliseconds(100)

    private var front: Int?
    private var heardAt: Instant?
    private var last: FramePlace?

    package init() {}

    /// A piece of sound was opened that came by a way; whether it is played.
    package mutating func admits(_ place: FramePlace, by way: Int, now: Instant) -> Bool {
        guard front == nil || front == way || now.isAfter(heardAt, by: Self.silence) else { return false }
        if let last {
            // Who has begun anew, with another key, counts anew.
            guard
                place.generation > last.generation
                    || place.generation == last.generation && place.counter > last.counter
            else { return false }
        }
        (front, heardAt, last) = (way, now, place)
        return true
    }

    /// Whether what this way's decoder makes is played.
    package func isFront(_ way: Int) -> Bool { front == way }
}
