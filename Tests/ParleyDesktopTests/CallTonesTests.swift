import BaseKit
import MediaRules
import Parley
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct CallTonesTests {
    private static let start = Instant(sinceStart: .seconds(1_000))
    private var tones = CallTones()

    /// The call comes to a stage, so many seconds after the beginning.
    private mutating func come(
        _ stage: CallStage, after seconds: Double = 0, _ change: (inout CallSnapshot) -> Void = { _ in }
    ) -> CallTones.Step? {
        var snapshot = CallSnapshot(stage: stage)
        change(&snapshot)
        return tones.follow(snapshot, at: Self.start + .seconds(seconds))
    }

    private static let stages: [CallStage] = [
        .ringingIn, .ringingOut, .connecting, .active(since: start), .reconnecting, .ended(sentence: "Over."),
    ]

    /// What is heard at each stage, as the first thing of a call and after it was connected.
    @Test(
        arguments: zip(
            stages, [CallTones.Tone.ring, nil, nil, nil, .reconnecting, nil] as [CallTones.Tone?]))
    mutating func `each stage has its tone`(_ stage: CallStage, _ tone: CallTones.Tone?) {
        #expect(come(stage) == tone.map { .play($0) })
        #expect(tones.tone == tone)
        // The same again is nothing new.
        #expect(come(stage, after: 1) == nil)
    }

    @Test mutating func `the caller hears it ring as soon as the other device does, and not before`() {
        #expect(come(.ringingOut) == nil)
        #expect(come(.ringingOut) { $0.isWaitingForRelay = true } == nil)
        #expect(come(.ringingOut) { $0.isDelivered = true } == .play(.ringback))
        #expect(come(.connecting) { $0.isDelivered = true } == .stop)
    }

    @Test mutating func `the caller hears that who is called is in another call`() {
        #expect(come(.ringingOut) { $0.isDelivered = true } == .play(.ringback))
        let elsewhere = come(.ringingOut) {
            $0.isDelivered = true
            $0.isWaitingAtPeer = true
        }
        #expect(elsewhere == .play(.inAnotherCall))
        #expect(come(.ringingOut) { $0.isDelivered = true } == .play(.ringback))
    }

    @Test mutating func `a call that waits is heard as long as it does, and never as a ring`() {
        let on = CallSnapshot(stage: .active(since: Self.start))
        #expect(tones.follow(on, call: 1, at: Self.start) == nil)
        #expect(tones.follow(on, call: 1, hasWaiting: true, at: Self.start) == .play(.waiting))
        #expect(tones.follow(on, call: 1, hasWaiting: true, at: Self.start) == nil)
        #expect(tones.follow(on, call: 1, at: Self.start) == .stop)
    }

    @Test mutating func `who waited rings when the other call ends`() {
        let (on, ringing) = (CallSnapshot(stage: .active(since: Self.start)), CallSnapshot(stage: .ringingIn))
        #expect(tones.follow(on, call: 1, hasWaiting: true, at: Self.start) == .play(.waiting))
        #expect(tones.follow(ringing, call: 2, at: Self.start + .seconds(5)) == .play(.ring))
        #expect(tones.deadline == Self.start + .seconds(65))
    }

    @Test mutating func `the end of a call is heard though one on hold is in front by then`() {
        var held = CallSnapshot(stage: .active(since: Self.start))
        held.isHeld = true
        #expect(tones.follow(held, call: 1, at: Self.start) == nil)
        #expect(tones.endedBehind() == .play(.end))
        #expect(tones.follow(held, call: 1, at: Self.start + .seconds(1)) == nil)
        #expect(tones.tone == .end)
    }

    @Test mutating func `a call on hold that is being restored is silent`() {
        #expect(come(.reconnecting) { $0.isHeld = true } == nil)
    }

    /// However a call that rings ends, or goes on.
    @Test(arguments: [CallStage.connecting, .active(since: start), .ended(sentence: "Missed.")])
    mutating func `the ring ends with the ringing`(_ stage: CallStage) {
        #expect(come(.ringingIn) == .play(.ring))
        #expect(come(stage, after: 3) == .stop)
        #expect(tones.deadline == nil)
    }

    @Test mutating func `the ring ends when the call is not shown any more`() {
        #expect(come(.ringingIn) == .play(.ring))
        #expect(tones.follow(nil, at: Self.start + .seconds(2)) == .stop)
        #expect(tones.follow(nil, at: Self.start + .seconds(3)) == nil)
    }

    @Test mutating func `a call rings for sixty seconds, whatever else is told of it meanwhile`() {
        #expect(come(.ringingIn) == .play(.ring))
        #expect(tones.deadline == Self.start + .seconds(60))
        #expect(come(.ringingIn, after: 30) { $0.notices = ["News."] } == nil)
        #expect(tones.deadline == Self.start + .seconds(60))
        #expect(tones.pass(at: Self.start + .seconds(59.9)) == nil)
        #expect(tones.pass(at: Self.start + .seconds(60)) == .stop)
        #expect(come(.ringingIn, after: 61) == nil)
        #expect(tones.deadline == nil)
    }

    @Test(arguments: [CallStage.active(since: start), .reconnecting])
    mutating func `the end of a call that was connected is heard once`(_ stage: CallStage) {
        _ = come(stage)
        #expect(come(.ended(sentence: "Over.")) == .play(.end))
        #expect(come(.ended(sentence: "Over.")) == nil)
    }

    @Test mutating func `the end is heard to its end though the call is not shown any more`() {
        _ = come(.active(since: Self.start))
        _ = come(.ended(sentence: "Over."))
        #expect(tones.follow(nil, at: Self.start + .seconds(1)) == nil)
        // A call that comes meanwhile is more important, and one that is dialled is not disturbed.
        var other = tones
        #expect(come(.ringingIn, after: 1) == .play(.ring))
        #expect(other.follow(CallSnapshot(stage: .ringingOut), at: Self.start + .seconds(1)) == .stop)
    }

    @Test mutating func `who is called and busy is told by the busy tone, and by no other`() {
        _ = come(.ringingOut) { $0.isDelivered = true }
        #expect(come(.ended(sentence: "Busy.")) { $0.isPeerBusy = true } == .play(.busy))
        #expect(tones.follow(nil, at: Self.start) == nil)
    }

    @Test mutating func `a call that never was connected ends in silence`() {
        for stage in [CallStage.ringingOut, .connecting] {
            _ = come(stage)
            #expect(come(.ended(sentence: "Over.")) == nil)
            _ = tones.follow(nil, at: Self.start)
        }
    }

    @Test mutating func `a call that follows a connected one ends by its own rules`() {
        _ = come(.active(since: Self.start))
        _ = come(.ended(sentence: "Over."))
        _ = tones.follow(nil, at: Self.start)
        _ = come(.ringingIn)
        #expect(come(.ended(sentence: "Missed.")) == .stop)
    }

    // MARK: How tones are played

    private let headset = MediaDevice(id: "headset", name: "Headset")
    private let desk = MediaDevice(id: "desk", name: "Desk")

    @Test func `the ring is played as the person wants it, and Parley's own in place of a file`() {
        var ring = RingChoices()
        ring.device = desk
        ring.volume = 0.3
        let own = SoundFile.resource("/im/parley/Parley/sounds/ring.flac")
        var expected = SoundRequest(own, repetition: .seconds(60), device: desk, volume: 0.3)
        #expect(SoundRequest(.ring, ring: ring, speaker: headset) == expected)
        ring.file = "/home/ada/ring.ogg"
        (expected.file, expected.substitute) = (.file("/home/ada/ring.ogg"), own)
        #expect(SoundRequest(.ring, ring: ring, speaker: headset) == expected)
    }

    @Test(arguments: CallTones.Tone.allCases.filter { $0 != .ring })
    func `the tones are heard where calls are`(_ tone: CallTones.Tone) {
        var ring = RingChoices()
        (ring.device, ring.volume, ring.file) = (desk, 0, "/home/ada/ring.ogg")
        let request = SoundRequest(tone, ring: ring, speaker: headset)
        #expect(request.file == .resource("/im/parley/Parley/sounds/\(tone.rawValue).flac"))
        #expect(request.device == headset && request.volume == 1)
        #expect((request.repetition != nil) == tone.isRepeated)
    }
}
