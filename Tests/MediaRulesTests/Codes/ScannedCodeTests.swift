import MediaRules
import TestSupport
import Testing

/// What is taken of what a reader of codes says.
@Suite(.timeLimit(.minutes(5))) struct ScannedCodeTests {
    @Test func `a QR code's text is taken as it is`() {
        #expect(ScannedCode(kind: "QR-Code", text: " simplex:/a#b\n")?.text == " simplex:/a#b\n")
    }

    @Test(arguments: ["EAN-13", "CODE-128", "qr-code", ""])
    func `codes of other kinds are none`(kind: String) {
        #expect(ScannedCode(kind: kind, text: "simplex:/a#b") == nil)
    }

    @Test func `what no QR code holds is none`() {
        #expect(ScannedCode(kind: "QR-Code", text: "") == nil)
        let longest = String(repeating: "1", count: ScannedCode.maximumBytes)
        #expect(ScannedCode(kind: "QR-Code", text: longest) != nil)
        #expect(ScannedCode(kind: "QR-Code", text: longest + "1") == nil)
    }

    @Test func `a picture has as many pixels as it says, and not too many`() {
        #expect(GreyPicture(width: 3, height: 2, pixels: [UInt8](repeating: 0, count: 6)) != nil)
        for (width, height, count) in [(3, 2, 5), (0, 0, 0), (-1, -6, 6), (Int.max, 2, 6), (4_097, 1, 4_097)] {
            #expect(GreyPicture(width: width, height: height, pixels: [UInt8](repeating: 0, count: count)) == nil)
        }
    }
}
