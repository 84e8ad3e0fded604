import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct VP8PacketizerTests {
    @Test func `a small frame is one payload with the start and last marks`() {
        var packetizer = VP8Packetizer(pictureID: 0x1234)
        let fragments = packetizer.fragments(frameSize: 100, payloadSize: 1_000)
        #expect(
            fragments == [
                VP8Packetizer.Fragment(descriptor: [0x90, 0x80, 0x92, 0x34], range: 0..<100, isLast: true)
            ])
    }

    @Test func `only the first payload of a frame starts a partition and only the last ends it`() {
        var packetizer = VP8Packetizer(pictureID: 0)
        let fragments = packetizer.fragments(frameSize: 2_500, payloadSize: 1_004)
        #expect(fragments.map(\.descriptor[0]) == [0x90, 0x80, 0x80])
        #expect(fragments.map(\.isLast) == [false, false, true])
        #expect(fragments.map(\.range.count) == [834, 833, 833])
    }

    @Test func `the payloads of any frame fit and put together are the frame`() {
        var generator = SeededGenerator(seed: 5)
        var packetizer = VP8Packetizer(pictureID: 7)
        for _ in 0..<500 {
            let size = Int.random(in: 1...30_000, using: &generator)
            let payload = Int.random(in: 5...1_500, using: &generator)
            let fragments = packetizer.fragments(frameSize: size, payloadSize: payload)
            #expect(
                fragments.allSatisfy { $0.range.count + VP8Packetizer.descriptorSize <= payload && !$0.range.isEmpty })
            #expect(fragments.first?.range.lowerBound == 0 && fragments.last?.range.upperBound == size)
            #expect(zip(fragments, fragments.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
            let shortest = fragments.map(\.range.count).min() ?? 0
            #expect((fragments.map(\.range.count).max() ?? 0) - shortest <= 1)
        }
    }

    @Test func `the picture id counts frames and wraps at 15 bits`() {
        var packetizer = VP8Packetizer(pictureID: 0x7FFF)
        let last = packetizer.fragments(frameSize: 1, payloadSize: 10)
        let first = packetizer.fragments(frameSize: 1, payloadSize: 10)
        #expect(last.first?.descriptor == [0x90, 0x80, 0xFF, 0xFF])
        #expect(first.first?.descriptor == [0x90, 0x80, 0x80, 0x00])
    }

    @Test func `an empty frame and a payload without room have no payloads`() {
        var packetizer = VP8Packetizer(pictureID: 1)
        let empty = packetizer.fragments(frameSize: 0, payloadSize: 100)
        let withoutRoom = packetizer.fragments(frameSize: 10, payloadSize: 4)
        #expect(empty.isEmpty && withoutRoom.isEmpty)
        #expect(packetizer.pictureID == 1)
    }
}
