import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct PayloadTypesTests {
    private static let text = """
        v=0\r\no=- 0 0 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111 9\r\na=rtpmap:111 OPUS/48000/2\r\n\
        a=rtpmap:9\r\na=rtpmap:x G722/8000\r\na=rtpmap:10 L16\r\nm=video 9 UDP/TLS/RTP/SAVPF 96 97\r\na=rtpmap:96 VP8/90000\r\n\
        a=rtpmap:97 rtx/90000\r\n
        """

    @Test func `the clock rates of a description are those of its maps`() throws {
        #expect(try PayloadTypes(of: Self.text).clockRates == [111: 48_000, 96: 90_000, 97: 90_000])
    }

    @Test func `the payload types are those that its media lines list, mapped or not`() throws {
        #expect(try PayloadTypes(of: Self.text).listed == [111, 9, 96, 97])
    }

    @Test func `what is no description promises nothing`() {
        #expect(throws: DescriptionError.notASessionDescription) { try PayloadTypes(of: "m=audio") }
    }
}
