import BaseKit
import TestSupport
import Testing

@testable import MediaRules

/// What two ends say of their sources, and what is made of it.
@Suite(.timeLimit(.minutes(5))) struct MediaStatementTests {
    private static let report: [UInt8] = [0x80, 201, 0, 1, 1, 2, 3, 4]
    private let all = PeerMedia(microphone: true, camera: true)

    private func read(_ bytes: [UInt8]) -> RTCPCompound? { bytes.withUnsafeBytes { RTCPCompound($0) } }

    private func appended(_ number: UInt32, _ content: UInt32) -> [UInt8] {
        let packet = StatementPacket(MediaStatement(number: number, content: .init(rawValue: content)))
        return Self.report.withUnsafeBytes { packet.appended(to: $0) }
    }

    // MARK: The packet

    @Test func `the bytes are those of the documentation`() {
        #expect(
            appended(7, 0b10_0011).dropFirst(8)
                == [0x81, 204, 0, 4, 1, 2, 3, 4, 0x50, 0x52, 0x4C, 0x53, 0, 0, 0, 7, 0, 0, 0, 0x23])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `every statement goes there and back, beside the size that is shown`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let statement = MediaStatement(
                number: .random(in: 0 ... .max, using: &generator),
                content: .init(rawValue: .random(in: 0 ... .max, using: &generator)))
            let view = PeerView(PictureSize(width: 640, height: 360))
            let compound = Self.report.withUnsafeBytes { view.appended(to: $0) }
            let both = compound.withUnsafeBytes { StatementPacket(statement).appended(to: $0) }
            #expect(read(both)?.statement == statement && read(both)?.views == [view])
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `packets of other programs, and broken ones, say nothing`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let whole = appended(1, 1)
        for place in 8..<20 where !(12..<16).contains(place) {
            var other = whole
            other[place] ^= UInt8.random(in: 1...255, using: &generator)
            #expect(read(other)?.statement == nil)
        }
        #expect(read(Array(whole.dropLast(4)))?.statement == nil)
        #expect(
            StatementPacket(MediaStatement(number: 1, content: [])).appended(to: .init(start: nil, count: 0)).isEmpty)
    }

    // MARK: Telling

    @Test func `each change has the next number, and the same is told under the same`() {
        var own = OwnStatement()
        #expect(own.update(.microphone).number == 1)
        #expect(own.update(.microphone).number == 1)
        #expect(own.update([.microphone, .camera]) == MediaStatement(number: 2, content: [.microphone, .camera]))
        #expect(own.update(.microphone).number == 3)
    }

    @Test func `a change is told at once, soon again, and now and then afterwards`() {
        var news = StatementNews()
        #expect(news.next(now: at(0)) == nil)
        news.say(MediaStatement(number: 1, content: .camera))
        var times = stride(from: 0, through: 14_000, by: 50).filter { news.next(now: at($0)) != nil }
        #expect(times == [0, 100, 300, 700, 1_700, 6_700, 11_700])
        news.say(MediaStatement(number: 2, content: .microphone))
        times = stride(from: 14_010, through: 14_500, by: 10).filter { news.next(now: at($0)) != nil }
        #expect(times == [14_010, 14_110, 14_310])
    }

    @Test func `changes leave no faster than they may`() {
        var news = StatementNews()
        var told: [UInt32] = []
        for time in 0..<1_000 {
            news.say(MediaStatement(number: UInt32(time + 1), content: .init(rawValue: UInt32(time % 2))))
            if let statement = news.next(now: at(time)) { told.append(statement.number) }
        }
        #expect(told.count == 20)
    }

    // MARK: Hearing

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `an old word never replaces a newer one, in whatever order they come`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var statements = (1...200).map { MediaStatement(number: $0, content: .init(rawValue: $0 % 64)) }
        statements += statements
        statements.shuffle(using: &generator)
        var (heard, newest) = (HeardStatement(), UInt32(0))
        for (index, statement) in statements.enumerated() {
            heard.hear(statement, now: at(index * 200))
            newest = max(newest, statement.number)
            #expect(heard.content == MediaStatement.Content(rawValue: newest % 64))
        }
    }

    @Test func `a peer that changes its mind too often is followed ten times a second, and its last word counts`() {
        var (heard, changes, last) = (HeardStatement(), 0, MediaStatement.Content?.none)
        for number in 1...400 {
            heard.hear(
                MediaStatement(number: UInt32(number), content: number % 2 == 0 ? .camera : []), now: at(number * 3))
            if heard.content != last { changes += 1 }
            last = heard.content
        }
        #expect(changes <= 13)
        heard.hear(MediaStatement(number: 401, content: .held), now: at(1_201))
        heard.look(now: at(1_500))
        #expect(heard.content == .held)
    }

    @Test func `what later versions say is passed over`() {
        var heard = HeardStatement()
        heard.hear(MediaStatement(number: 1, content: .init(rawValue: 0xFFFF_FF01)), now: at(0))
        #expect(heard.content == .microphone)
    }

    // MARK: Together with what arrives

    /// The peer's sources, by what it says at some times and what arrives.
    private struct Watch {
        var watch = PeerMediaWatch()
        var counts = MediaStatistics.Direction()
        var packets = 0
        var media = PeerMedia(microphone: false, camera: false)
        var held: [Bool] = []

        private mutating func take(_ change: PeerMediaWatch.Change?) {
            media = change?.now ?? media
            if let isHeld = change?.held { held.append(isHeld) }
        }

        mutating func say(_ number: UInt32, _ content: MediaStatement.Content, at time: Int) {
            take(watch.hear(MediaStatement(number: number, content: content), now: TestSupport.at(time)))
        }

        /// Looks four times a second; of what is named something arrives each time.
        mutating func run(_ times: Range<Int>, sound: Bool = true, pictures: Bool = true) {
            for time in stride(from: times.lowerBound, to: times.upperBound, by: 250) {
                packets += 1
                if sound { counts.audioFrames += 12 }
                if pictures { counts.videoFrames += 7 }
                take(watch.update(counts, packets: packets, sendsScreenAsCamera: false, now: TestSupport.at(time)))
            }
        }
    }

    @Test func `who says nothing is taken for off after three silent seconds, as ever`() {
        var peer = Watch()
        peer.run(0..<1_000)
        #expect(peer.media == all)
        peer.run(1_000..<3_500, sound: false)
        #expect(peer.media == all)
        peer.run(3_500..<4_500, sound: false)
        #expect(peer.media == PeerMedia(microphone: false, camera: true))
        #expect(peer.held.isEmpty)
    }

    @Test func `what is said to be off is off at once, though something is still on its way`() {
        var peer = Watch()
        peer.say(1, [.microphone, .camera], at: 0)
        peer.run(0..<1_000)
        peer.say(2, .camera, at: 1_000)
        #expect(peer.media == PeerMedia(microphone: false, camera: true))
        peer.run(1_000..<2_000)
        #expect(peer.media == PeerMedia(microphone: false, camera: true))
        peer.say(3, [.microphone, .camera, .screen], at: 2_000)
        #expect(peer.media == PeerMedia(microphone: true, camera: true, screen: true))
    }

    @Test func `what is said to be on and gives nothing is off after a while`() {
        var peer = Watch()
        peer.say(1, [.microphone, .camera], at: 0)
        #expect(peer.media == all)
        peer.run(0..<2_500, pictures: false)
        #expect(peer.media == all)
        peer.run(2_500..<3_500, pictures: false)
        #expect(peer.media == PeerMedia(microphone: true, camera: false))
        peer.run(3_500..<4_000)
        #expect(peer.media == all)
    }

    @Test func `pictures that a slow link holds back are paused, not off`() {
        var peer = Watch()
        peer.say(1, [.microphone, .camera], at: 0)
        peer.run(0..<2_000)
        peer.say(2, [.microphone, .camera, .slowLink], at: 2_000)
        // As long as some still come they are shown.
        #expect(peer.media == all)
        peer.run(2_000..<6_000, pictures: false)
        #expect(peer.media == PeerMedia(microphone: true, camera: false, isPicturePaused: true))
        peer.say(3, .microphone, at: 6_000)
        #expect(peer.media == PeerMedia(microphone: true, camera: false))
    }

    @Test func `a hold is heard at once and shows nothing, and what was on before is on behind it`() {
        var peer = Watch()
        peer.say(1, [.microphone, .camera], at: 0)
        peer.run(0..<1_000)
        peer.say(2, [.microphone, .camera, .held], at: 1_000)
        #expect(peer.held == [true] && peer.media == PeerMedia(microphone: false, camera: false))
        peer.run(1_000..<9_000, sound: false, pictures: false)
        peer.say(3, [.microphone, .camera], at: 9_000)
        #expect(peer.held == [true, false] && peer.media == all)
        peer.run(9_000..<11_000)
        #expect(peer.media == all)
    }

    @Test func `a link is slow for pictures when it has been for a while, and no longer with some room`() {
        var link = PictureStarvation()
        var starved: [Int] = []
        let targets = { (time: Int) in time < 3_000 ? 0 : time < 10_000 ? 90_000 : time < 15_000 ? 140_000 : 200_000 }
        for time in stride(from: 0, through: 20_000, by: 250) {
            let before = link.isStarved
            link.update(target: targets(time), now: at(time))
            if link.isStarved != before { starved.append(time) }
        }
        #expect(starved == [5_000, 16_000])
        // A single low value is none.
        link.update(target: 10_000, now: at(30_000))
        link.update(target: 500_000, now: at(30_250))
        link.update(target: 10_000, now: at(33_000))
        #expect(!link.isStarved)
    }

    @Test func `what is told is what the person has switched`() {
        var switches = MediaSwitches(isCameraOn: true)
        #expect(switches.statement(screenLine: .screen, isLinkSlow: false) == [.microphone, .camera])
        #expect(switches.statement(screenLine: .screen, isLinkSlow: true) == [.microphone, .camera, .slowLink])
        switches.isCameraOn = false
        switches.isMicrophoneOn = false
        // Tones are no voice.
        switches.sendsTones = true
        #expect(switches.statement(screenLine: .screen, isLinkSlow: true) == [])
        switches.sharing = .on(withSound: true)
        switches.isHeld = true
        #expect(switches.statement(screenLine: .screen, isLinkSlow: false) == [.screen, .screenSound, .held])
        #expect(switches.statement(screenLine: .camera, isLinkSlow: false) == [.camera, .screenSound, .held])
        #expect(switches.statement(screenLine: nil, isLinkSlow: false) == [.held])
    }
}
