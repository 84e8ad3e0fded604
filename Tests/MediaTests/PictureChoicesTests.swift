import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite(.timeLimit(.minutes(5))) struct PictureChoicesTests {
        @Test func `who saves data sends little, and more again as soon as not`() async throws {
            let call = try await Loopback { _, answerer in answerer.pictures.savesData = true }
            try await call.connect()
            try await eventually { await call.answerer.statistics().sent.videoFrames > 0 }
            try await eventually { await call.answerer.statistics().link.limit == .data }
            #expect(await call.answerer.statistics().link.target <= 250_000)
            #expect(await call.offerer.statistics().link.limit != .data)
            await call.answerer.setPictures(PictureChoices())
            try await eventually { await call.answerer.statistics().link.limit != .data }
            await call.close()
        }
    }
}
