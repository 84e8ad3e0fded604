import Testing

@testable import Calling

/// What the log says of every end there is.
@Suite("Table of end reasons and results", .timeLimit(.minutes(5))) struct CallResultTests {
    /// What becomes of an end: of a call that was not on, made here or there, and of one that was on.
    private struct Row {
        let outgoing: CallResult
        let incoming: CallResult
        let on: CallResult

        init(_ outgoing: CallResult, _ incoming: CallResult, on: CallResult) {
            (self.outgoing, self.incoming, self.on) = (outgoing, incoming, on)
        }
    }

    private static let table: [CallEndReason: Row] = [
        .hungUp: Row(.canceled, .canceled, on: .completed),
        .peerHungUp: Row(.canceled, .canceled, on: .completed),
        .cancelled: Row(.canceled, .canceled, on: .canceled),
        .declined: Row(.declined, .declined, on: .declined),
        .declinedByPeer: Row(.declined, .declined, on: .declined),
        .peerBusy: Row(.busy, .busy, on: .busy),
        .contactGone: Row(.dialFailed, .noAnswer, on: .connectionLost),
        .noAnswer: Row(.noAnswer, .noAnswer, on: .noAnswer),
        .missed: Row(.noAnswer, .noAnswer, on: .noAnswer),
        .missedWhileBusy: Row(.busy, .busy, on: .busy), .missedInBusyMode: Row(.busy, .busy, on: .busy),
        .replaced: Row(.canceled, .canceled, on: .connectionLost),
        .notPermitted: Row(.declined, .declined, on: .declined),
        .connectTimeout: Row(.timedOut, .timedOut, on: .timedOut),
        .connectionLost: Row(.connectionLost, .connectionLost, on: .connectionLost),
        .mediaFailed: Row(.dialFailed, .acceptFailed, on: .connectionLost),
        .peerMediaFailed: Row(.dialFailed, .acceptFailed, on: .connectionLost),
        .peerMediaStopped: Row(.dialFailed, .acceptFailed, on: .connectionLost),
        .signalingFailed: Row(.dialFailed, .acceptFailed, on: .connectionLost),
        .fingerprintMismatch: Row(.securityFailed, .securityFailed, on: .securityFailed),
        .encryptionRefused: Row(.securityFailed, .securityFailed, on: .securityFailed),
        .keyAgreementFailed: Row(.securityFailed, .securityFailed, on: .securityFailed),
        .encryptionRefusedByPeer: Row(.securityFailed, .securityFailed, on: .securityFailed),
        .keyAgreementFailedAtPeer: Row(.securityFailed, .securityFailed, on: .securityFailed),
    ]

    @Test func `the table has every reason`() {
        #expect(Set(Self.table.keys) == Set(CallEndReason.allCases))
    }

    @Test(arguments: CallEndReason.allCases) func `a reason has its result in both directions`(
        reason: CallEndReason
    ) throws {
        let row = try #require(Self.table[reason])
        #expect(reason.result(.outgoing, wasOn: false) == row.outgoing)
        #expect(reason.result(.incoming, wasOn: false) == row.incoming)
        #expect(reason.result(.outgoing, wasOn: true) == row.on)
        #expect(reason.result(.incoming, wasOn: true) == row.on)
    }

    @Test func `what is told as missed is missed in the log, and nothing else that rang and was answered`() {
        for reason in [CallEndReason.missed, .missedWhileBusy, .missedInBusyMode, .noAnswer, .contactGone] {
            #expect(reason.result(.incoming, wasOn: false).isMissed(.incoming), "\(reason)")
            #expect(!reason.result(.outgoing, wasOn: false).isMissed(.outgoing), "\(reason)")
        }
        for reason in [CallEndReason.declined, .hungUp, .replaced, .mediaFailed, .connectTimeout, .notPermitted] {
            #expect(!reason.result(.incoming, wasOn: false).isMissed(.incoming), "\(reason)")
        }
    }

    @Test func `security ends are security results`() {
        for reason in CallEndReason.allCases {
            #expect((reason.result(.incoming, wasOn: false) == .securityFailed) == reason.isSecurity, "\(reason)")
        }
    }

    @Test(arguments: CallResult.allCases) func `a result is found by its name`(result: CallResult) {
        #expect(CallResult(name: result.name) == result)
        #expect(CallResult(name: "") == nil)
    }
}
