import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// Looking at a camera outside of calls.
    @Suite struct CameraTestTests {
        @Test func `a camera is open only while it is looked at, and leaves no picture behind`() async throws {
            let test = CameraTest(.test)
            #expect(Capture.live == 0)
            try await test.open()
            #expect(Capture.live == 1)
            try await waitUntil("there is a picture") { test.picture.latest() != nil }
            await test.close()
            #expect(Capture.live == 0)
            #expect(test.picture.latest() == nil)
            for await _ in test.notices {}
        }

        @Test func `a camera that can't be opened is told, and what was closed is not opened again`() async throws {
            let test = CameraTest(.file("/nowhere/film.webm"))
            try await test.open()
            var notices = test.notices.makeAsyncIterator()
            #expect(await notices.next() != nil)
            await test.close()
            try await test.open()
            #expect(Capture.live == 0)
        }
    }
}
