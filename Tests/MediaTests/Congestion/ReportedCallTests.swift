import TestSupport
import Testing

@testable import Media

extension RealMedia {
    @Suite struct ReportedCallTests {
        @Test func `a peer without transport-wide feedback is led by what its reports say`() async throws {
            let call = try await Loopback()
            func withoutFeedback(_ text: String) -> String {
                text.split(separator: "\r\n", omittingEmptySubsequences: false)
                    .filter { !$0.contains("transport-wide-cc") && !$0.contains("transport-cc") }
                    .joined(separator: "\r\n")
            }
            try await call.connect(offer: withoutFeedback, answer: withoutFeedback)
            await call.answererLog.wait(for: .firstVideoFrame)
            let first = await call.offerer.statistics().link.target
            // Nothing is lost here, so it grows.
            try await waitUntil("the rate has grown from \(first)", within: .seconds(60)) {
                await call.offerer.statistics().link.target > first * 6 / 5
            }
            #expect(await call.offerer.hasTransportFeedback == false)
            await call.close()
        }

        @Test func `who sends a voice alone is told what of it arrives`() async throws {
            let call = try await Loopback {
                $0.media = .audio
                $1.media = .audio
            }
            try await call.connect()
            try await waitUntil("both are told") {
                guard await call.offerer.hasTransportFeedback == true else { return false }
                return await call.answerer.hasTransportFeedback == true
            }
            await call.close()
        }
    }
}

extension PeerSession {
    /// Whether anything was told of single packets.
    fileprivate var hasTransportFeedback: Bool? { transports.current.control?.hasFeedback }
}
