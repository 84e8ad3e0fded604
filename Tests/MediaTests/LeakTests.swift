import Glibc
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct DroppedSessionTests {
        @Test func `a session that is only dropped frees its pipelines`() async throws {
            do {
                let call = try await Loopback { offerer, answerer in
                    offerer.camera = .none
                    answerer.camera = .none
                    offerer.microphone = .none
                    answerer.microphone = .none
                }
                _ = try await call.offerer.makeOffer()
                await call.offerer.close()
                await call.answerer.close()
            }
            try await eventually { PeerSession.live == 0 && Pipeline.live == 0 }
        }
    }
}

/// Calls of one process, one after the other.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LeakTests {
    /// How many; more find what is smaller.
    static let calls = getenv("PARLEY_CALLS").flatMap { Int(String(cString: $0)) } ?? 100

    @Test func `a hundred calls leave memory, threads and descriptors as they were`() async throws {
        try await Self.expectFlat(warmUp: 25, calls: Self.calls) { _ in try await Self.wholeCall() }
    }

    @Test func `calls that end in the middle of set-up leave nothing either`() async throws {
        let endings = EarlyEnding.allCases
        try await Self.expectFlat(warmUp: 3 * endings.count, calls: 24 * endings.count) { number in
            try await endings[number % endings.count].run()
        }
    }

    /// Pictures and sound both ways, and the first picture seen.
    private static func wholeCall() async throws {
        let call = try await Loopback()
        try await call.connect()
        await call.offererLog.wait(for: .firstVideoFrame)
        await call.answererLog.wait(for: .firstVideoFrame)
        #expect(call.offererLog.events.contains(.firstVideoFrame))
        await call.close()
    }

    /// Runs calls until what GLib, GStreamer and Swift keep for good is there, and then those that count.
    private static func expectFlat(
        warmUp: Int, calls: Int, _ call: (Int) async throws -> Void
    ) async throws {
        let (before, after) = try await ProcessFootprint.around(calls, warmUp: warmUp, settled: Self.settled, call)
        #expect(Capture.live == 0)
        #expect(after.descriptors <= before.descriptors, "before: \(before), after: \(after)")
        // A forgotten webrtcbin is 500 KiB and a forgotten picture 450, so one a call would be seen. What may grow, by a heap
        // profile: 1 KiB a DTLS connection in GStreamer's plugin, names that GLib never forgets, and what the allocator
        // keeps for threads and can't join, which comes and goes by a megabyte.
        let growth = after.allocated - before.allocated
        #expect(growth < calls * 16 * 1_024 + 2 << 20, "before: \(before), after: \(after)")
    }

    /// Waits until all that belongs to calls is gone.
    private static func settled() async throws {
        try await eventually { PeerSession.live == 0 && Pipeline.live == 0 && Capture.live == 0 }
    }
}

/// Ways in which calls end before they are one.
enum EarlyEnding: CaseIterable {
    case nothingDone, hungUpWhileOffering, hungUpWhileAnswering, offerRefused, answerRefused, wrongFingerprint
    case neverAnswered, hungUpBeforeConnected, hungUpDuringOpening

    func run() async throws {
        if self == .hungUpDuringOpening { return try await Self.hangUpDuringOpening() }
        let call = try await Loopback()
        switch self {
        case .nothingDone, .hungUpDuringOpening: break
        case .hungUpWhileOffering:
            async let offer = call.offerer.makeOffer()
            await call.offerer.close()
            // Whichever came first.
            _ = try? await offer
        case .hungUpWhileAnswering:
            let offer = try await call.offerer.makeOffer()
            async let answer = call.answerer.makeAnswer(to: offer.sdp, candidates: offer.candidates)
            await call.answerer.close()
            _ = try? await answer
        case .offerRefused:
            await #expect(throws: MediaError.self) { try await call.connect(offer: { _ in "v=0\r\n" }) }
        case .answerRefused:
            await #expect(throws: MediaError.self) { try await call.connect(answer: { _ in "v=0\r\n" }) }
        case .wrongFingerprint:
            try await call.connect(offer: RealMedia.PeerSecurityTests.withForgedFingerprint)
            await call.answererLog.wait(for: .fingerprintMismatch)
        case .neverAnswered:
            _ = try await call.offerer.makeOffer()
        case .hungUpBeforeConnected:
            try await call.connect()
        }
        await call.close()
    }

    private static func hangUpDuringOpening() async throws {
        let opening = Task {
            try await PeerSession.open(
                Loopback.configuration(.offerer, .none))
        }
        await (try await opening.value).close()
    }
}
