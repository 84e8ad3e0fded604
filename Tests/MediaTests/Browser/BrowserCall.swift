import BaseKit
import Cryptography
import Foundation
import Testing

@testable import Media
@testable import MediaRules

/// A call between a session and the browser's page, with the signaling between them.
final class BrowserCall: Sendable {
    /// How a call is to be made.
    struct Plan: Sendable {
        /// Who makes the offer.
        enum Offerer: Sendable { case parley, browser }
        /// Where the browser's frames are encrypted: a script transform in a worker, or encoded streams in the page.
        enum Form: String, Sendable { case worker, page }

        var offerer: Offerer
        var isEncrypted = true
        var form = Form.worker
        /// Whether the browser has two m-lines, as peers before the four had.
        var isOlder = false
        /// Whether the call begins with pictures.
        var hasVideo = true
        /// Whether the browser shows names in place of its addresses.
        var hidesAddresses = false
    }

    /// What the page sees.
    struct View: Decodable {
        struct Counts: Decodable { var encrypted, decrypted, failed: Int }

        var state: String
        /// Of the encrypted channel.
        var channel: String
        var directions: [String]
        var peerIsOlder: Bool
        /// The parameters that we asked its sound to have.
        var soundFormat: String
        /// How many pictures of our camera it has decoded.
        var pictures: Int
        var colour: [Int]?
        var level: Double
        var frequency: Double
        var microphone: Bool
        var camera: Bool
        var screen: Bool
        var screenColour: [Int]?
        var screenLevel: Double
        var screenFrequency: Double
        var counts: Counts
        var candidates: [Candidate]
    }

    struct Candidate: Codable {
        var candidate: String
        var sdpMid: String?
        var sdpMLineIndex: Int?
    }

    private struct Description: Codable {
        var sdp: String
        var candidates: [Candidate]
    }

    private struct Opening: Encodable {
        var key: [UInt8]?
        var form: String
        var colour: String
        var isOlder: Bool
        var hasVideo: Bool
        var hidesAddresses: Bool
    }

    let browser: Browser
    let session: PeerSession
    let log: EventLog
    let plan: Plan
    /// How many of the session's events have been looked through for candidates.
    private let carried = Shared(0)

    /// Makes the call up to the exchange of descriptions. `colour` is that of the browser's camera.
    init(_ plan: Plan, colour: Colour = .green) async throws {
        self.plan = plan
        browser = try #require(Browser.current)
        let key = plan.isEncrypted ? randomBytes(32) : nil
        session = try await PeerSession.open(
            PeerSessionConfiguration(
                role: plan.offerer == .parley ? .offerer : .answerer, media: plan.hasVideo ? .video : .audio,
                camera: .test, microphone: .test, speaker: .none,
                frameEncryption: key.map { .aes256GCM(SecretBytes($0)) } ?? .none, allowsLoopback: true))
        OpenedSessions.current?.add(session)
        log = EventLog(session, sendingCandidatesTo: nil)
        try await browser.tell(
            "open",
            Opening(
                key: key, form: plan.form.rawValue, colour: colour.css, isOlder: plan.isOlder, hasVideo: plan.hasVideo,
                hidesAddresses: plan.hidesAddresses))
        switch plan.offerer {
        case .parley:
            let answer = try await browser.ask(
                "answer", Self.description(try await session.makeOffer()), as: Description.self)
            try await session.apply(answer: answer.sdp, candidates: answer.candidates.map(\.forMedia))
        case .browser:
            let offer = try await browser.ask("offer", [String: String](), as: Description.self)
            let answer = try await session.makeAnswer(to: offer.sdp, candidates: offer.candidates.map(\.forMedia))
            try await browser.tell("accept", Self.description(answer))
        }
    }

    private static func description(_ local: LocalDescription) -> Description {
        Description(sdp: local.sdp, candidates: local.candidates.map(Candidate.init))
    }

    /// Waits until the page sees something; carries candidates meanwhile.
    @discardableResult
    func browserSees(_ what: String, _ condition: (View) -> Bool) async throws -> View {
        var last: View?
        try await eventually(what, instead: "the page sees \(last.map { "\($0)" } ?? "nothing")") {
            let events = log.events
            for case .candidates(let candidates) in events[min(carried.value, events.count)...] {
                try await browser.tell("add", ["candidates": candidates.map(Candidate.init)])
            }
            carried.value = events.count
            let view = try await browser.ask("look", [String: String](), as: View.self)
            await session.add(view.candidates.map(\.forMedia))
            last = view
            return condition(view)
        }
        return try #require(last)
    }

    /// Waits until both ends see the other's colour and hear the other's tone, and looks at what was counted.
    func checkPicturesAndSound(colour: Colour = .green) async throws {
        try await browserSees("our picture and tone") { view in
            Colour.parley.isClose(view.colour) && view.level > 0.02 && abs(view.frequency - 440) < 40
        }
        try await sees(colour)
        try await hears()
        let view = try await browserSees("frames") {
            $0.counts.decrypted > 0 && $0.counts.encrypted > 0 || !plan.isEncrypted
        }
        #expect(view.counts.failed == 0)
        #expect((view.counts.decrypted > 0) == plan.isEncrypted)
        #expect((view.counts.encrypted > 0) == plan.isEncrypted)
        let statistics = await session.statistics()
        #expect(statistics.received.framesRejected == 0 && statistics.sent.framesRejected == 0)
        #expect(statistics.fingerprintVerified)
        #expect(statistics.frameEncryption == (plan.isEncrypted ? "aes-256-gcm" : "none"))
    }

    /// Waits until the session shows the colour.
    func sees(_ colour: Colour) async throws { try await shows(session.remoteVideo, colour) }

    /// Waits until the session shows the colour as the peer's screen.
    func seesScreen(_ colour: Colour) async throws { try await shows(session.remoteScreen, colour) }

    private func shows(_ feed: VideoFeed, _ colour: Colour) async throws {
        try await eventually(
            "a picture of \(colour)", instead: "we see \(String(describing: feed.latest()?.meanColour))"
        ) {
            colour.isClose(feed.latest()?.meanColour)
        }
    }

    /// Waits until the session shows no screen any more.
    func hasNoScreen() async throws {
        let feed = session.remoteScreen
        try await eventually("end of the screen", instead: "it is still there") { feed.latest() == nil }
    }

    /// Waits until the session hears the browser's tone.
    func hears() async throws {
        var meter: SoundMeter?
        try await eventually(
            "a tone", instead: "we hear \(meter.map { "\($0.level), \($0.frequency) Hz" } ?? "nothing")"
        ) {
            if meter == nil { meter = await SoundMeter(session) }
            guard let meter else { return false }
            return meter.level > 0.02 && abs(meter.frequency - 880) < 80
        }
    }

    /// Waits for an event among all so far.
    func hasHappened(_ event: PeerSessionEvent) async throws {
        try await eventually("\(event)", instead: "events: \(log.events)") { log.events.contains(event) }
    }

    /// Waits until a condition holds; gives up, telling what there was instead, before the test's time is over.
    private func eventually(_ what: String, instead: @autoclosure () -> String, _ condition: () async throws -> Bool)
        async throws
    {
        let end = Instant.now + .seconds(20)
        while try await !condition() {
            guard Instant.now < end else { throw BrowserFailure(description: "not \(what): \(instead())") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    func close() async throws {
        try await browser.tell("close")
        await session.close()
    }
}

extension BrowserCall.Candidate {
    init(_ candidate: MediaCandidate) {
        self.init(candidate: candidate.candidate, sdpMid: candidate.mid, sdpMLineIndex: candidate.mLineIndex)
    }

    var forMedia: MediaCandidate {
        MediaCandidate(candidate: candidate, mid: sdpMid, mLineIndex: sdpMLineIndex ?? 0)
    }
}

/// A colour of a test picture.
///
/// The browsers' are at the edge of what can be shown: Chromium encodes a canvas as BT.709 in full range without saying so,
/// which shifts colours inside the range by up to 30.
struct Colour: Sendable {
    var red: Int
    var green: Int
    var blue: Int

    /// The browser's cameras.
    static let green = Colour(red: 0, green: 255, blue: 0)
    static let orange = Colour(red: 255, green: 128, blue: 0)
    /// The browser's screen.
    static let violet = Colour(red: 255, green: 0, blue: 255)
    /// The session's test picture.
    static let parley = Colour(red: 0x20, green: 0x60, blue: 0xC0)
    /// The session's test screen.
    static let parleyScreen = Colour(red: 0xA0, green: 0x20, blue: 0x80)

    var css: String { "rgb(\(red),\(green),\(blue))" }

    func isClose(_ seen: (red: Int, green: Int, blue: Int)?) -> Bool {
        guard let seen else { return false }
        return abs(seen.red - red) < 24 && abs(seen.green - green) < 24 && abs(seen.blue - blue) < 24
    }

    func isClose(_ seen: [Int]?) -> Bool {
        guard let seen, seen.count == 3 else { return false }
        return isClose((seen[0], seen[1], seen[2]))
    }
}
