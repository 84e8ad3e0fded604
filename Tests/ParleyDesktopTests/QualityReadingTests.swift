import BaseKit
import MediaRules
import Testing
import Wording

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct QualityReadingTests {
    private var snapshot: CallSnapshot {
        var snapshot = CallSnapshot(stage: .active(since: .now), cameraEnabled: true, peerCamera: true)
        snapshot.isEncrypted = true
        return snapshot
    }

    private var counts: MediaStatistics {
        var counts = MediaStatistics()
        counts.link.roundTrip = 42
        counts.link.loss = 0.031
        counts.link.target = 900_000
        (counts.sent.bytes, counts.received.bytes) = (250_000, 125_000)
        (counts.sent.videoFrames, counts.received.videoFrames) = (60, 30)
        counts.path = MediaPath(local: .host, remote: .relayed)
        return counts
    }

    private func value(_ title: String, _ reading: QualityReading) -> String? {
        reading.lines.first { $0.title == title }?.value
    }

    @Test func `what is known has a line`() {
        var reading = QualityReading(counts, before: MediaStatistics(), in: .seconds(2), of: snapshot)
        reading.theirPicture = .init(width: 640, height: 360)
        #expect(value("You send", reading) == "1000 kbit/s, 30 pictures a second")
        #expect(value("You receive", reading) == "500 kbit/s, 15 pictures a second of 640 × 360")
        #expect(value("Lost of what you send", reading) == "3 %")
        #expect(value("Lost of what they send", reading) == "0 %")
        #expect(value("There and back", reading) == "42 ms")
        #expect(value("Way", reading) == "Through a TURN server")
        #expect(value("Encryption", reading) == "End to end")
    }

    @Test func `sizes, the version of the path and the codecs are those of the call`() {
        var counts = counts
        counts.link.size = .init(width: 1_280, height: 720)
        counts.path = MediaPath(local: .host, remote: .host, version: .ipv6)
        counts.codecs = .init(sound: "opus", pictures: "VP8")
        let reading = QualityReading(counts, before: MediaStatistics(), in: .seconds(2), of: snapshot)
        #expect(value("You send", reading) == "1000 kbit/s, 30 pictures a second of 1280 × 720")
        #expect(value("Way", reading) == "Direct, IPv6")
        #expect(value("Codecs", reading) == "opus, VP8")
        counts.link.isHardware = true
        let quick = QualityReading(counts, before: MediaStatistics(), in: .seconds(2), of: snapshot)
        #expect(value("Codecs", quick) == "opus, VP8 by the graphics processor")
        counts.codecs.pictures = nil
        counts.path?.version = .ipv4
        let other = QualityReading(counts, before: nil, in: .zero, of: snapshot)
        #expect(value("Way", other) == "Direct, IPv4" && value("Codecs", other) == "opus")
        #expect(value("Codecs", QualityReading(.init(), before: nil, in: .zero, of: snapshot)) == nil)
    }

    @Test func `screens have lines of their own while they are shared`() {
        var counts = counts
        counts.link.screenSize = .init(width: 1_920, height: 1_080)
        (counts.sent.screenFrames, counts.received.screenFrames) = (20, 10)
        var reading = QualityReading(counts, before: MediaStatistics(), in: .seconds(2), of: snapshot)
        #expect(value("Your screen", reading) == "10 pictures a second of 1920 × 1080")
        #expect(value("Their screen", reading) == nil)
        reading.theirScreen = .init(width: 1_280, height: 720)
        #expect(value("Their screen", reading) == "5 pictures a second of 1280 × 720")
        counts.link.screenSize = nil
        let first = QualityReading(counts, before: nil, in: .zero, of: snapshot)
        #expect(value("Your screen", first) == nil)
        reading = QualityReading(counts, before: nil, in: .zero, of: snapshot)
        reading.theirScreen = .init(width: 1_280, height: 720)
        #expect(value("Their screen", reading) == "1280 × 720")
    }

    @Test func `at the first look there are no rates, and what is not known has no line`() {
        let reading = QualityReading(MediaStatistics(), before: nil, in: .zero, of: CallSnapshot(stage: .connecting))
        #expect(value("You send", reading) == nil)
        #expect(value("There and back", reading) == nil)
        #expect(value("Way", reading) == nil)
        #expect(value("Encryption", reading) == nil)
    }

    @Test func `only a call that is known to be clear is called so`() {
        var clear = CallSnapshot(stage: .active(since: .now))
        clear.isClear = true
        let reading = QualityReading(MediaStatistics(), before: nil, in: .zero, of: clear)
        #expect(value("Encryption", reading) == "Not encrypted end to end")
        #expect(value("You send", QualityReading(counts, before: counts, in: .seconds(1), of: clear)) == "0 kbit/s")
    }

    @Test func `the button says how good it is, and why it is not better`() {
        let reading = QualityReading(counts, before: MediaStatistics(), in: .seconds(2), of: snapshot)
        #expect(reading.sentence == "Connection: Fair. Your connection loses part of what you send.")
        let good = QualityReading(MediaStatistics(), before: nil, in: .zero, of: snapshot)
        #expect(good.sentence == "Connection: Good")
        #expect(good.icon != reading.icon)
    }

    @Test func `a call on hold is not poor for the pictures that it does not send`() {
        var counts = counts
        counts.link.loss = 0
        (counts.sent.videoFrames, counts.received.videoFrames) = (0, 0)
        func word(_ change: (inout CallSnapshot) -> Void) -> String {
            var snapshot = snapshot
            change(&snapshot)
            return QualityReading(counts, before: MediaStatistics(), in: .seconds(2), of: snapshot).sentence
        }
        #expect(word { _ in } == "Connection: Poor. Your camera or machine gives few pictures.")
        #expect(word { $0.isHeld = true } == "Connection: Good")
        #expect(word { $0.isHeldByPeer = true } == "Connection: Good")
        #expect(word { $0.stage = .reconnecting } == "Connection: Poor. Nothing comes through at the moment.")
    }

    @Test func `a picture that is paused for their link says nothing of their camera`() {
        var (counts, snapshot) = (counts, snapshot)
        (counts.link.loss, counts.received.videoFrames) = (0, 0)
        snapshot.isPeerPicturePaused = true
        let reading = QualityReading(counts, before: MediaStatistics(), in: .seconds(2), of: snapshot)
        #expect(reading.quality.step == .good)
    }

    @Test func `what keeps the own picture small is named, where something does`() {
        func limit(_ limit: PictureLimit) -> String? {
            var counts = counts
            (counts.link.size, counts.link.limit) = (.init(width: 640, height: 360), limit)
            let reading = QualityReading(counts, before: nil, in: .zero, of: snapshot)
            return value("Your picture is limited by", reading)
        }
        #expect(limit(.camera) == nil)
        #expect(limit(.machine) == "This machine")
        #expect(Set(PictureLimit.allCases.compactMap(limit)).count == PictureLimit.allCases.count - 1)
        #expect(
            value("Your picture is limited by", QualityReading(counts, before: nil, in: .zero, of: snapshot)) == nil)
    }

    @Test func `every cause has a sentence of its own`() {
        var links: [MediaStatistics.Link] = []
        for (loss, lossHere, roundTrip, target) in [
            (0.1, 0.0, 1, 0), (0, 0.1, 1, 0), (0.1, 0.1, 1, 0), (0, 0, 900, 0), (0, 0, 1, 10_000),
        ] as [(Double, Double, Int, Int)] {
            var link = MediaStatistics.Link()
            (link.loss, link.lossHere, link.roundTrip, link.target) = (loss, lossHere, roundTrip, target)
            links.append(link)
        }
        let qualities = links.map { CallQuality(.init($0, rates: nil, sendsPicture: true, receivesPicture: true)) }
        #expect(Set(qualities.compactMap(\.reason)).count == 5)
        #expect(qualities.allSatisfy { $0.word == "Poor" })
    }
}
