import Testing

@testable import Media

extension RealMedia {
    @Suite struct AddressFamilyTests {
        @Test func `a peer whose description speaks of IPv6 is understood`() async throws {
            let call = try await Loopback()
            let change: (String) -> String = { text in
                text.replacing("IN IP4 0.0.0.0", with: "IN IP6 ::")
            }
            try await call.connect(offer: change, answer: change)
            try await call.waitForPictures()
            await call.close()
        }
    }
}
