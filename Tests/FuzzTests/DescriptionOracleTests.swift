import TestSupport
import Testing

/// What GStreamer's parser makes of texts that ours takes, beyond the corpus.
@Suite(.timeLimit(.minutes(5))) struct DescriptionOracleTests {
    private static let words = [
        "a= candidate:1 1 udp 1 h.local 9 typ host", "a=candidate:", "\r", "\n", "\r\n", "\t", "\u{B}", " ", ":", "=",
        "\u{301}", "\u{2028}", "m=video 9 UDP/TLS/RTP/SAVPF 96", "m=audio 9/2 UDP/TLS/RTP/SAVPF 111", "k=clear:x",
        "b=AS:1",
        "z=0 0", "r=7d 1h", "v=0", "c=IN IP4 192.0.2.1/1/1", "t=1 1", "a=ssrc:5 cname:x", "a=ssrc-group:FID 5 6",
        "a=rtpmap:97 rtx/90000", "a=fmtp:97 apt=96", "a=rtcp-fb:* nack", "a=inactive", "a=extmap:3 x",
    ].map { Array($0.utf8) }

    @Test func `changed descriptions are read by GStreamer as by us, and so is what we write of them`() throws {
        let target = try #require(FuzzTarget.all.first { $0.name == "description" })
        let seeds = try FuzzSeeds().of("description")
        var random = SeededGenerator(seed: 21)
        for _ in 0..<4_000 {
            var text = try #require(seeds.randomElement(using: &random))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0...text.count, using: &random)
                let word = Self.words.randomElement(using: &random) ?? []
                switch Int.random(in: 0...3, using: &random) {
                case 0: text.insert(contentsOf: word, at: place)
                case 1: text.insert(contentsOf: [13, 10] + word + [13, 10], at: place)
                case 2: text.removeSubrange(place..<min(text.count, place + Int.random(in: 1...40, using: &random)))
                default: if place < text.count { text[place] = UInt8.random(in: 0...255, using: &random) }
                }
            }
            #expect(throws: Never.self, "\(text.hexadecimal)") { try target.run(text) }
        }
    }
}
