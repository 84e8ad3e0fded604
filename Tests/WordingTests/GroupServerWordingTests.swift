import Media
import MediaRules
import Parley
import SFU
import SFURules
import Testing
import Wording

/// What a person reads of a call server.
@Suite(.timeLimit(.minutes(5))) struct GroupServerWordingTests {
    private static let errors: [SFUError] = [
        .invalidAddress, .unsafeAddress, .unreachable(reason: "connection refused"),
        .certificate(reason: "self-signed"),
        .authorities, .local(reason: "no cipher"), .timedOut, .lost, .closed, .notJanus, .noVideoRoom, .unauthorized,
        .mayNotMakeRooms, .malformed, .wrongPin, .wrongSecret, .roomFull, .noSuchRoom, .roomExists, .feedTaken,
        .noSuchFeed, .encryptionRequired, .invalidDescription, .refused(code: 490), .notJoined, .alreadyJoined,
        .tooMany,
    ]
    private static let steps: [SFUTest.Step] = [
        .connected(milliseconds: 12), .found(version: "1.1.2"), .admitted, .roomMade, .joined, .roomDestroyed,
    ]
    private static let (direct, relayed) = (
        MediaPath(local: .host, remote: .host), MediaPath(local: .relayed, remote: .host)
    )
    private static let media: [RoomTrial.Step] = [nil, direct, relayed].flatMap { [.sent($0), .received($0)] }

    @Test func `each error and each step of a test is one sentence of its own`() {
        let sentences =
            Self.errors.map(\.sentence) + Self.steps.map(\.sentence) + Self.media.map(\.sentence)
            + RoomTrialFault.allCases.map(\.sentence)
        #expect(Set(sentences).count == sentences.count)
        for sentence in sentences {
            #expect(sentence.hasSuffix(".") && sentence.first?.isUppercase == true, "\(sentence)")
            // One of them: no other period ends a word.
            #expect(!sentence.dropLast().contains(". "), "\(sentence)")
        }
    }

    @Test func `what a library says stands within the sentence, without its period`() {
        #expect(
            SFUError.unreachable(reason: "Connection refused.").sentence
                == "The call server can't be reached (Connection refused): check address, port and network.")
    }

    @Test func `what a person can mend is named`() {
        #expect(SFUError.unauthorized.sentence.contains("token secret"))
        #expect(SFUError.mayNotMakeRooms.sentence.contains("key for making rooms"))
        #expect(SFUError.unsafeAddress.sentence.contains("wss://"))
        #expect(SFUError.noVideoRoom.sentence.contains("videoroom"))
    }

    @Test func `a step tells what was measured and found`() {
        #expect(Self.steps[0].sentence.contains("12 ms"))
        #expect(Self.steps[1].sentence.contains("1.1.2"))
    }

    @Test func `of media it is told whether they go directly or over a TURN server`() {
        for step in Self.media.prefix(2) {
            #expect(!step.sentence.contains("direct") && !step.sentence.contains("TURN"))
        }
        for step in Self.media[2..<4] { #expect(step.sentence.contains("directly")) }
        for step in Self.media.suffix(2) { #expect(step.sentence.contains("TURN server")) }
    }

    @Test func `of media that don't go through it is said what to open`() {
        for fault in [RoomTrialFault.notReached, .notReturned] {
            #expect(fault.sentence.contains("UDP") && fault.sentence.contains("rtp_port_range"))
        }
        let failures: [GroupServerTest.Failure] = [.server(.timedOut), .trial(.changed), .media(.unreachable)]
        #expect(
            failures.map(\.sentence)
                == [SFUError.timedOut.sentence, RoomTrialFault.changed.sentence, MediaError.unreachable.sentence])
    }

    @Test func `a setting that was damaged or not kept is told as that of the call server`() {
        let faults: [StoreFault] = [.groupServerDamaged, .groupServerNotKept, .serversDamaged, .serversNotKept]
        #expect(Set(faults.map(\.sentence)).count == faults.count)
        for fault in faults.prefix(2) { #expect(fault.sentence.contains("call server")) }
    }
}
