import QRCodes
import TestSupport
import Testing

/// Texts as QR codes. That a reader gets the text back is tried in `MediaTests`, with the reader of calls' cameras.
@Suite(.timeLimit(.minutes(5))) struct QRCodeTests {
    /// ISO/IEC 18004, 6.3.3: a dark square of three within a light one within a dark one.
    private static let finder = ["#######", "#     #", "# ### #", "# ### #", "# ### #", "#     #", "#######"]

    @Test(arguments: [1, 17, 140, 461, 2_000, QRCode.maximumBytes])
    func `a code has a size of the standard and its three finders`(count: Int) throws {
        let code = try QRCode(text: String(repeating: "a", count: count))
        #expect((code.side - 17).isMultiple(of: 4) && (21...177).contains(code.side))
        for (left, top) in [(0, 0), (code.side - 7, 0), (0, code.side - 7)] {
            for (row, line) in Self.finder.enumerated() {
                for (column, module) in line.enumerated() {
                    #expect(code[left + column, top + row] == (module == "#"))
                }
            }
        }
    }

    @Test func `what is empty or too long has no code`() {
        #expect(throws: QRCode.Failure.unfitting) { try QRCode(text: "") }
        #expect(throws: QRCode.Failure.unfitting) {
            try QRCode(text: String(repeating: "a", count: QRCode.maximumBytes + 1))
        }
    }

    @Test func `the runs of a row are its dark modules`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<50 {
            let text = String(
                decoding: random.bytes(Int.random(in: 1...300, using: &random)).map { $0 & 0x7F }, as: UTF8.self)
            let code = try QRCode(text: text)
            for row in 0..<code.side {
                let runs = code.darkRuns(inRow: row)
                let dark = Set(runs.flatMap { $0 })
                #expect(dark == Set((0..<code.side).filter { code[$0, row] }))
                #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            }
        }
    }

    @Test func `nothing lies outside`() throws {
        let code = try QRCode(text: "simplex:/")
        for place in [-1, code.side, Int.max, Int.min] {
            #expect(!code[place, 0] && !code[0, place])
        }
    }
}
