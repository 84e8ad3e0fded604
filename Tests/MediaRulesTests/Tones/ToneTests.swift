import BaseKit
import Cryptography
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct ToneSequenceTests {
    @Test func `keys and pauses are read`() throws {
        let sequence = try ToneSequence(parsing: "0123456789*#ABCDabcd,")
        let keys = sequence.steps.map { if case .tone(let tone) = $0 { tone.key } else { Character(",") } }
        #expect(String(keys) == "0123456789*#ABCDABCD,")
        let events = sequence.steps.compactMap { if case .tone(let tone) = $0 { tone.event } else { nil } }
        #expect(events == (0...15).map { UInt8($0) } + [12, 13, 14, 15])
    }

    @Test(arguments: zip(["1 2", "E", "１", "+49", "1\u{301}", "\u{0}"], [" ", "E", "１", "+", "1\u{301}", "\u{0}"]))
    func `anything else is an error that names it`(text: String, key: Character) {
        #expect(throws: ToneError.unknownKey(key)) { try ToneSequence(parsing: text) }
    }

    @Test func `none, and too many, are errors`() throws {
        #expect(throws: ToneError.empty) { try ToneSequence(parsing: "") }
        #expect(throws: ToneError.tooLong) { try ToneSequence(parsing: String(repeating: "1", count: 65)) }
        #expect(try ToneSequence(parsing: String(repeating: "1", count: 64)).steps.count == 64)
    }
}

@Suite(.timeLimit(.minutes(5))) struct ToneEventTests {
    @Test func `a payload is as the standard says`() {
        // RFC 4733 §5, the example of "911": volume 7, 50 ms of 8 kHz, and the end of the first digit.
        #expect(ToneEvent(event: 9, isEnd: false, volume: 7, duration: 400).encoded() == [9, 0x07, 0x01, 0x90])
        #expect(ToneEvent(event: 9, isEnd: true, volume: 7, duration: 1_600).encoded() == [9, 0x87, 0x06, 0x40])
    }

    @Test func `every payload of four bytes is read, without its reserved bit, and none of another length`() {
        var random = SeededGenerator(seed: 4_733)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
            let event = ToneEvent(decoding: bytes)
            #expect((event == nil) == (bytes.count != 4))
            guard let event else { continue }
            #expect(event.encoded() == [bytes[0], bytes[1] & 0xBF, bytes[2], bytes[3]])
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct ToneSenderTests {
    /// What becomes of a voice that begins at a time, packet by packet.
    private func outputs(_ text: String, from start: UInt32, count: Int) throws -> [ToneSender.Output?] {
        var sender = ToneSender()
        let isTaken = sender.add(try ToneSequence(parsing: text))
        #expect(isTaken)
        return (0..<count).map { sender.next(timestamp: start &+ 960 * UInt32($0)) }
    }

    @Test func `after 100 ms of nothing a tone of 100 ms has five packets, the last of them three times`() throws {
        let all = try outputs("5", from: 1_000 &- 4_800, count: 25)
        #expect(all.prefix(5).allSatisfy { $0 == nil })
        let outputs = all.dropFirst(5)
        let sent = outputs.compactMap { $0 }
        #expect(sent.count == 7 && outputs.prefix(7).allSatisfy { $0 != nil })
        #expect(sent.map(\.event.duration) == [960, 1_920, 2_880, 3_840, 4_800, 4_800, 4_800])
        #expect(sent.map(\.event.isEnd) == [false, false, false, false, true, true, true])
        #expect(sent.map(\.isFirst) == [true, false, false, false, false, false, false])
        #expect(sent.allSatisfy { $0.timestamp == 1_000 && $0.event.event == 5 })
    }

    @Test(arguments: [0, 1_000, UInt32.max - 3_000])
    func `tones follow one another, each with a time of its own, also where the clock begins anew`(start: UInt32) throws
    {
        let outputs = try outputs("12", from: start &- 4_800, count: 30)
        let first = try #require(outputs.firstIndex { $0?.event.event == 2 })
        // 100 ms of the tone and 100 ms of nothing.
        #expect(first == 15)
        #expect(outputs[12...14].allSatisfy { $0 == nil })
        #expect(outputs[first]?.timestamp == start &+ 9_600)
        #expect(outputs[first]?.isFirst == true)
    }

    @Test func `a comma is two seconds of nothing`() throws {
        let outputs = try outputs(",7", from: 0, count: 120)
        #expect(outputs.firstIndex { $0 != nil } == 105)
    }

    @Test func `what is left is known, and too many at once are refused`() throws {
        var sender = ToneSender()
        #expect(sender.isDone)
        let many = try ToneSequence(parsing: String(repeating: "1", count: 40))
        let (isTaken, isTakenAgain) = (sender.add(many), sender.add(many))
        #expect(isTaken && !isTakenAgain && !sender.isDone)
        var packets: UInt32 = 0
        while !sender.isDone, packets < 100_000 {
            _ = sender.next(timestamp: packets &* 960)
            packets += 1
        }
        #expect(packets == 405 + 1)
    }

    @Test func `whatever the voice's clock does, each tone is sent in order, with one time, and ends three times`()
        throws
    {
        var random = SeededGenerator(seed: 9_11)
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                "0123456789*#ABCD,".randomElement(using: &random) ?? "1"
            }
            var sender = ToneSender()
            _ = sender.add(try ToneSequence(parsing: String(text)))
            var (time, outputs) = (UInt32.random(in: 0...UInt32.max, using: &random), [ToneSender.Output]())
            for _ in 0..<100_000 where !sender.isDone {
                if let output = sender.next(timestamp: time) { outputs.append(output) }
                time = time &+ (UInt32.random(in: 0...20, using: &random) == 0 ? 50_000 : 960)
            }
            #expect(sender.isDone)
            let tones = outputs.filter(\.isFirst).compactMap { Tone(event: $0.event.event)?.key }
            #expect(String(tones) == String(text.filter { $0 != "," }))
            #expect(outputs.count { $0.event.isEnd } == 3 * tones.count)
            for one in outputs.filter({ $0.event.isEnd }) { #expect(one.event.duration >= 4_800) }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct ToneReceiverTests {
    private func event(_ number: UInt8, isEnd: Bool = false) -> ToneEvent {
        ToneEvent(event: number, isEnd: isEnd, duration: 960)
    }

    @Test func `a tone is told once, whichever of its packets comes first`() throws {
        var receiver = ToneReceiver()
        let three = try #require(Tone(event: 3))
        #expect(receiver.receive(event(3, isEnd: true), timestamp: 100, now: at(0)) == .tone(three))
        #expect(receiver.receive(event(3), timestamp: 100, now: at(20)) == .known)
        #expect(receiver.receive(event(3), timestamp: 9_700, now: at(200)) == .tone(three))
        // Late, and also with another event under the same time.
        #expect(receiver.receive(event(4), timestamp: 100, now: at(220)) == .known)
        #expect(receiver.receive(event(4), timestamp: 9_700, now: at(240)) == .known)
    }

    @Test func `events that are no keys are refused`() {
        var receiver = ToneReceiver()
        for number in UInt8(16)...255 {
            #expect(receiver.receive(event(number), timestamp: UInt32(number), now: at(0)) == .refused)
        }
    }

    @Test func `a flood is bounded, in tones and in packets`() {
        var receiver = ToneReceiver()
        var told = 0
        for number in 0..<10_000
        where receiver.receive(event(1), timestamp: UInt32(number) * 10 + 5, now: at(0)) != .refused {
            told += 1
        }
        #expect(told == ToneReceiver.rate)
        #expect((0..<10_000).count { _ in receiver.admits(now: at(0)) } == ToneReceiver.packetRate)
    }

    @Test func `whatever comes, what is told are keys`() {
        var random = SeededGenerator(seed: 12)
        var receiver = ToneReceiver()
        for step in 0..<5_000 {
            let event = ToneEvent(
                event: UInt8.random(in: 0...255, using: &random), isEnd: Bool.random(using: &random),
                volume: UInt8.random(in: 0...255, using: &random),
                duration: UInt16.random(in: 0...UInt16.max, using: &random))
            let verdict = receiver.receive(
                event, timestamp: UInt32.random(in: 0...UInt32.max, using: &random), now: at(step * 100))
            if event.event > 15 { #expect(verdict == .refused) }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct TonePacketTests {
    private let key = SecretBytes([UInt8](repeating: 7, count: 32))
    private let event = ToneEvent(event: 5, isEnd: false, duration: 960)

    @Test func `a packet of the voice keeps all but type, marker, time and payload`() throws {
        // With a header extension and padding.
        let voice: [UInt8] =
            [0xB0, 111, 0x12, 0x34, 0, 0, 0x10, 0, 1, 2, 3, 4, 0xBE, 0xDE, 0, 1, 0x10, 0x30, 0, 0] + [9, 9, 9, 2]
        let output = ToneSender.Output(event: event, timestamp: 0x0102_0304, isFirst: true)
        let bytes = try #require(
            voice.withUnsafeBytes { TonePacket.replacing($0, with: output, payload: event.encoded(), payloadType: 110) }
        )
        #expect(
            bytes == [0x90, 0x80 | 110, 0x12, 0x34, 1, 2, 3, 4, 1, 2, 3, 4, 0xBE, 0xDE, 0, 1, 0x10, 0x30, 0, 0]
                + event.encoded())
        #expect(
            [1, 2, 3].withUnsafeBytes { TonePacket.replacing($0, with: output, payload: [], payloadType: 110) } == nil)
    }

    @Test func `what is sealed is opened with its key and for its time only`() throws {
        let sealed = try TonePacket.payload(event, timestamp: 77, key: key)
        #expect(try TonePacket.event(sealed, timestamp: 77, key: key) == event)
        #expect(throws: FrameError.notAuthentic) { try TonePacket.event(sealed, timestamp: 78, key: key) }
        let other = SecretBytes([UInt8](repeating: 8, count: 32))
        #expect(throws: FrameError.notAuthentic) { try TonePacket.event(sealed, timestamp: 77, key: other) }
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: FrameError.notAuthentic) { try TonePacket.event(changed, timestamp: 77, key: key) }
        }
    }

    @Test func `no vector is used twice, and nothing of a tone is in clear`() throws {
        let sealed = try (0..<200).map { _ in try TonePacket.payload(event, timestamp: 77, key: key) }
        #expect(Set(sealed.map { Array($0.suffix(12)) }).count == 200)
        #expect(Set(sealed.map { Array($0.prefix(12)) }).count == 200)
        #expect(!sealed.contains { $0.firstRange(of: event.encoded()) != nil })
    }

    @Test func `a frame of the voice is no tone, nor anything shorter`() throws {
        let cipher = try FrameCipher(key: key)
        for size in 1...40 {
            let frame = try cipher.encrypt([UInt8](repeating: 5, count: size), kind: .audio)
            #expect(throws: FrameError.self) { try TonePacket.event(frame, timestamp: 77, key: key) }
            // Also without the byte that is in clear, behind which it opens.
            #expect(throws: FrameError.self) { try TonePacket.event(Array(frame.dropFirst()), timestamp: 77, key: key) }
        }
    }

    @Test func `without frame encryption a payload is the standard's, and of its length`() throws {
        #expect(try TonePacket.payload(event, timestamp: 77, key: nil) == event.encoded())
        #expect(try TonePacket.event(event.encoded(), timestamp: 1, key: nil) == event)
        #expect(throws: FrameError.wrongSize) { try TonePacket.event([1, 2, 3], timestamp: 1, key: nil) }
    }
}

@Suite(.timeLimit(.minutes(5))) struct ToneFormatTests {
    private let text = """
        v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=rtpmap:111 OPUS/48000/2\r
        m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=rtpmap:96 VP8/90000\r\n
        """

    @Test func `tones are added to the first m-line and found there`() throws {
        let added = ToneFormat.adding(110, to: text)
        let description = try SessionDescription(parsing: added)
        #expect(ToneFormat.payloadType(in: description) == 110)
        #expect(description.media[0].formats == ["111", "110"] && description.media[1].formats == ["96"])
        #expect(description.media[0].values(of: "fmtp") == ["110 0-15"])
        #expect(ToneFormat.payloadType(in: try SessionDescription(parsing: text)) == nil)
    }

    @Test func `another clock, another line or a type that is not listed are no tones`() throws {
        for line in ["a=rtpmap:110 telephone-event/8000", "a=rtpmap:109 telephone-event/48000"] {
            let changed = ToneFormat.adding(110, to: text).replacing("a=rtpmap:110 telephone-event/48000", with: line)
            #expect(ToneFormat.payloadType(in: try SessionDescription(parsing: changed)) == nil)
        }
    }

    @Test func `a payload type that is in use is not taken`() {
        #expect(ToneFormat.freePayloadType([111, 96]) == 110)
        #expect(ToneFormat.freePayloadType([110, 96, 97]) == 98)
        #expect(ToneFormat.freePayloadType(Set(96...127)) == nil)
    }
}
