import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct CallQualityTests {
    /// What is seen of a call, and what is said of it.
    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var loss = 0.0
        var lossHere = 0.0
        var roundTrip: Int?
        var target = 900_000
        var pictures: (sent: Double, received: Double)? = (30, 30)
        var hasPictures = true
        var isPaused = false
        var decodeLoad = 0.0
        var limit = PictureLimit.camera
        var rows: Int?
        var hasWay = true
        var step = CallQuality.Step.good
        var cause: CallQuality.Cause?
        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "all is well", roundTrip: 40),
        Row(name: "nothing is known yet", target: 0, pictures: nil),
        Row(name: "a little is lost", loss: 0.019, lossHere: 0.019, roundTrip: 299),
        Row(name: "ours are lost", loss: 0.02, step: .fair, cause: .ownLink),
        Row(name: "many of ours are lost", loss: 0.08, step: .poor, cause: .ownLink),
        Row(name: "theirs are lost", lossHere: 0.05, step: .fair, cause: .peerLink),
        Row(name: "many of theirs are lost", lossHere: 0.3, step: .poor, cause: .peerLink),
        Row(name: "both", loss: 0.05, lossHere: 0.05, step: .fair, cause: .bothLinks),
        Row(name: "both, theirs more", loss: 0.05, lossHere: 0.2, step: .poor, cause: .peerLink),
        Row(name: "far away", roundTrip: 300, step: .fair, cause: .longWay),
        Row(name: "on the moon", roundTrip: 2_500, step: .poor, cause: .longWay),
        Row(name: "narrow", target: 149_999, step: .fair, cause: .narrowLink),
        Row(name: "as narrow as a call with pictures can be", target: 60_000, step: .poor, cause: .narrowLink),
        Row(name: "very narrow", target: 74_999, pictures: (2, 30), step: .poor, cause: .narrowLink),
        Row(
            name: "too narrow for pictures", target: 60_000, pictures: (0, 0), isPaused: true, step: .poor,
            cause: .noRoom),
        Row(
            name: "too narrow for pictures, of which there are none", target: 60_000, hasPictures: false, isPaused: true
        ),
        Row(name: "narrow, but without pictures", target: 40_000, hasPictures: false),
        Row(name: "few pictures leave", pictures: (6, 30), step: .fair, cause: .ownMachine),
        Row(name: "hardly any leave", pictures: (1, 30), step: .poor, cause: .ownMachine),
        Row(name: "few leave where there is no room", target: 200_000, pictures: (1, 30)),
        Row(name: "few come", pictures: (30, 5), step: .fair, cause: .peerMachine),
        Row(name: "few come, as they are lost", lossHere: 0.1, pictures: (30, 1), step: .poor, cause: .peerLink),
        Row(name: "a camera in the dark", pictures: (7, 7)),
        Row(name: "no camera is on", pictures: (0, 0), hasPictures: false),
        Row(name: "they come faster than they are decoded", decodeLoad: 0.8, step: .fair, cause: .ownMachine),
        Row(
            name: "few come, as they are not decoded in time", pictures: (30, 2), decodeLoad: 0.95, step: .poor,
            cause: .ownMachine),
        Row(name: "decoding takes long, but in time", decodeLoad: 0.7),
        Row(
            name: "pictures are small, as this machine is slow", limit: .machine, rows: 270, step: .fair,
            cause: .slowMachine),
        Row(name: "pictures are smaller than they could be, and not small", limit: .machine, rows: 540),
        Row(name: "pictures are small, as they are shown so", limit: .view, rows: 180),
        Row(name: "nothing comes through", loss: 0.01, pictures: (0, 0), hasWay: false, step: .poor, cause: .noWay),
        Row(name: "the worst counts", loss: 0.03, roundTrip: 900, step: .poor, cause: .longWay),
        Row(name: "the network goes first", loss: 0.03, pictures: (5, 5), step: .fair, cause: .ownLink),
    ]

    @Test(arguments: rows) func `a call is as good as its worst part, which is named`(row: Row) throws {
        var link = MediaStatistics.Link()
        (link.loss, link.lossHere, link.roundTrip, link.target) = (row.loss, row.lossHere, row.roundTrip, row.target)
        (link.decodeLoad, link.isPaused, link.limit) = (row.decodeLoad, row.isPaused, row.limit)
        link.size = row.rows.map { PictureSize(width: $0 * 16 / 9, height: $0) }
        let rates = try row.pictures.map { try Self.rates(sent: $0.sent, received: $0.received) }
        let quality = CallQuality(
            .init(
                link, rates: rates, sendsPicture: row.hasPictures, receivesPicture: row.hasPictures, hasWay: row.hasWay)
        )
        #expect(quality.step == row.step)
        #expect(quality.cause == row.cause)
    }

    private static func rates(sent: Double, received: Double) throws -> CallRates {
        var later = MediaStatistics()
        (later.sent.videoFrames, later.received.videoFrames) = (Int(sent * 100), Int(received * 100))
        return try #require(CallRates(from: MediaStatistics(), to: later, in: .seconds(100)))
    }

    @Test func `rates are what came to the counts in the time between`() throws {
        var (old, new) = (MediaStatistics(), MediaStatistics())
        (old.sent.bytes, new.sent.bytes) = (1_000, 26_000)
        (old.received.bytes, new.received.bytes) = (0, 125)
        (old.sent.videoFrames, new.sent.videoFrames) = (7, 37)
        (old.received.videoFrames, new.received.videoFrames) = (1, 2)
        (old.sent.screenFrames, new.sent.screenFrames) = (0, 20)
        (old.received.screenFrames, new.received.screenFrames) = (4, 10)
        let rates = try #require(CallRates(from: old, to: new, in: .milliseconds(2_000)))
        #expect(rates.sent == 100_000)
        #expect(rates.received == 500)
        #expect(rates.sentPictures == 15)
        #expect(rates.receivedPictures == 0.5)
        #expect(rates.sentScreens == 10 && rates.receivedScreens == 3)
    }

    @Test func `without time or with counts that began anew there is no rate`() {
        var more = MediaStatistics()
        more.received.bytes = 10
        #expect(CallRates(from: MediaStatistics(), to: more, in: .zero) == nil)
        #expect(CallRates(from: more, to: MediaStatistics(), in: .seconds(1)) == nil)
    }
}
