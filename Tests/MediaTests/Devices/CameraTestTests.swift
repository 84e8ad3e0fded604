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
            try await limited("the end of the notices") { for await _ in test.notices {} }
        }

        @Test func `a camera that can't be opened is told`() async throws {
            let test = CameraTest(.file("/nowhere/film.webm"))
            try await test.open()
            let isTold = try await limited("the notice") {
                for await _ in test.notices { return true }
                return false
            }
            #expect(isTold)
            await test.close()
        }

        @Test func `what was closed is not opened again`() async throws {
            let test = CameraTest(.test)
            await test.close()
            try await test.open()
            #expect(Capture.live == 0)
            await test.close()
        }
    }
}
