import TestSupport
import Testing

@testable import Signaling

@Suite("LZ-string packing", .timeLimit(.minutes(5)))
struct LZStringTests {
    /// The vectors of the Calls fact sheet §3.2.
    static let vectors: [(text: String, packed: String)] = [
        ("", "Q==="),
        ("[]", "NoXSA==="),
        (
            #"{"type":"answer","sdp":"v=0\r\n"}"#,
            "N4IgLgngDgpiBcICGA7AzgdxgJxAGhDQBMoEQA3AXgAYAdbWlEAXyA=="
        ),
        (
            #"[{"candidate":"candidate:1 1 udp 1 10.0.0.1 9 typ host","sdpMid":"0","sdpMLineIndex":0}]"#,
            "NobwRAxghgdgJgSzlALgUzALkrRz2YCMABCQK5wAOppADAHQMMkCcxKAntQBYD2AzijAAaMPyoBZJFjC0RYyQBkEMNAEl4aAB5ZaAXwC6QA="
        ),
    ]

    @Test(arguments: vectors)
    func `a text packs to the same characters as the JavaScript library gives`(text: String, packed: String) {
        #expect(LZString.compressToBase64(text) == packed)
    }

    @Test(arguments: vectors)
    func `a packed text of the JavaScript library unpacks`(text: String, packed: String) throws {
        #expect(try LZString.decompress(packed) == text)
    }

    @Test func `3,000 random texts of any units, with lone surrogates, come back as they were`() throws {
        var generator = SeededGenerator(seed: 3)
        for round in 0..<3_000 {
            // From two letters, which repeat much, to any unit at all.
            let highest: UInt16 = [1, 10, 255, 600, .max][round % 5]
            let units = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                UInt16.random(in: 0...highest, using: &generator)
            }
            let packed = LZString.compressToBase64(units: units)
            #expect(packed.utf8.count % 4 == 0)
            #expect(try LZString.decompressUnits(packed) == units)
        }
    }

    @Test func `a long session description comes back as it was and gets smaller`() throws {
        let sdp = (0..<400).map { "a=rtpmap:\($0 % 127) VP8/90000\r\na=ssrc:\($0 * 7919) cname:x\r\n" }.joined()
        let packed = LZString.compressToBase64(sdp)
        #expect(packed.utf8.count < sdp.utf8.count / 2)
        #expect(try LZString.decompress(packed) == sdp)
    }

    @Test func `a text that repeats itself to any length unpacks only up to the limit`() throws {
        let packed = LZString.compressToBase64(units: Array(repeating: 65, count: 1_000_000))
        #expect(packed.utf8.count < 10_000)
        #expect(throws: LZStringError.tooLong(limit: 131_072)) { try LZString.decompressUnits(packed) }
        #expect(try LZString.decompressUnits(packed, limit: 1_000_000).count == 1_000_000)
        #expect(throws: LZStringError.tooLong(limit: 999_999)) {
            try LZString.decompressUnits(packed, limit: 999_999)
        }
    }

    @Test(arguments: ["", "=", "N", "NoX", "NoX=SA"])
    func `a text that stops early is an error`(packed: String) {
        #expect(throws: LZStringError.truncated) { try LZString.decompress(packed) }
    }

    @Test func `a character outside of the alphabet is an error`() {
        #expect(throws: LZStringError.invalidCharacter(offset: 2)) { try LZString.decompress("No-SA===") }
        #expect(throws: LZStringError.invalidCharacter(offset: 0)) { try LZString.decompress("é") }
    }

    @Test func `a code that refers to nothing is an error`() {
        // First token 3 of 2 bits.
        #expect(throws: LZStringError.invalidCode) { try LZString.decompress("////") }
        // "A" and then, in three bits, the code 7, which does not exist yet.
        #expect(throws: LZStringError.invalidCode) { try LZString.decompress("IH////") }
    }

    @Test func `5,000 damaged texts give a text or an error, never anything else`() {
        var generator = SeededGenerator(seed: 5)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
        var errors = 0
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...80, using: &generator)
            let packed = String((0..<count).compactMap { _ in alphabet.randomElement(using: &generator) })
            do throws(LZStringError) {
                #expect(try LZString.decompressUnits(packed, limit: 500).count <= 500)
            } catch {
                errors += 1
            }
        }
        #expect(errors > 0)
    }
}
