import TestSupport
import Testing

@testable import LocalNetwork

/// What services in the network say of themselves.
@Suite(.timeLimit(.minutes(5))) struct ServiceTextTests {
    @Test func `pairs are read by name, whatever its case, and the first counts`() {
        let text = ServiceText(decoding: ["fp=abc", "FP=def", "Name=Zoë=x"].map { Array($0.utf8) })
        #expect(text["fp"] == "abc" && text["name"] == "Zoë=x")
        #expect(ServiceText(decoding: text.encoded()) == text)
    }

    @Test func `what is no pair, too long, or one too many is left out`() {
        let long = Array("a=".utf8) + [UInt8](repeating: 65, count: 254)
        let odd: [[UInt8]] = [
            [], Array("=x".utf8), Array("flag".utf8), [0xC3, 0x28], [1, 0x3D, 65], Array("b=".utf8) + [0xFF], long,
        ]
        #expect(ServiceText(decoding: odd).pairs == [:])
        #expect(ServiceText(decoding: (0..<100).map { Array("n\($0)=x".utf8) }).pairs.count == 16)
        #expect(ServiceText(["a": String(repeating: "x", count: 300)]).encoded() == [])
    }

    @Test func `20,000 records of nonsense are read within bounds`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<20_000 {
            let strings = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                generator.bytes(Int.random(in: 0...40, using: &generator))
            }
            let text = ServiceText(decoding: strings)
            #expect(text.pairs.count <= ServiceText.maximumPairs)
            #expect(ServiceText(decoding: text.encoded()) == text)
        }
    }
}
