import BaseKit
import GLibKit
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct ReducedReportsTests {
        /// A report of each source with each feedback would be 25 a second and source.
        @Test func `both sides send feedback without reports of all sources`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            for side in [call.offerer, call.answerer] {
                let kinds = Shared<[UInt8]>([])
                try await side.watchReports { kind in kinds.change { $0.append(kind) } }
                try await eventually { kinds.value.count >= 60 }
                // 205: transport-wide feedback. A sender's report is 200, a receiver's 201. With reports of all sources in between it stands
                // alone each time.
                let runs = kinds.value.split { $0 != 205 }.map(\.count)
                #expect((runs.max() ?? 0) >= 3, "\(kinds.value)")
            }
            await call.close()
        }
    }
}

extension PeerSession {
    /// Tells the kind of the first report in each packet of them that leaves.
    fileprivate func watchReports(_ take: @escaping @Sendable (UInt8) -> Void) throws {
        let reports = transports.current.pipeline.element.all(madeBy: "rtpsession").first?.pad("send_rtcp_src")
        try #require(reports).onPackets { _, packet in if packet.count > 1 { take(packet[1]) } }
    }
}
