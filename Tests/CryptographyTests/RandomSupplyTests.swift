import Cryptography
import TestSupport
import Testing

@Suite("Random supplies", .timeLimit(.minutes(5)))
struct RandomSupplyTests {
    private func pieces(_ supply: RandomSupply, _ sizes: [Int]) -> [[UInt8]] {
        sizes.map { size in
            var piece = [UInt8](repeating: 0, count: size)
            piece.withUnsafeMutableBytes { supply.fill($0) }
            return piece
        }
    }

    @Test func `no piece is given twice, also beyond what is held at once`() {
        let found = pieces(RandomSupply(count: 100), [Int](repeating: 12, count: 5_000))
        #expect(Set(found).count == 5_000)
    }

    @Test func `no two pieces share bytes, whatever their sizes`() {
        var random = SeededGenerator(seed: 5)
        let sizes = (0..<2_000).map { _ in Int(random.next() % 140) }
        let bytes = pieces(RandomSupply(count: 100), sizes).flatMap { $0 }
        // Eight bytes that come twice would be one chance in 10^9.
        let windows = stride(from: 0, to: bytes.count - 8, by: 1).map { Array(bytes[$0..<$0 + 8]) }
        #expect(Set(windows).count == windows.count)
    }
}
