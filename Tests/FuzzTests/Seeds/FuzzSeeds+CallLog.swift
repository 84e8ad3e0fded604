import Signaling

@testable import Calling

extension FuzzSeeds {
    mutating func addCallLog() {
        for result in CallResult.allCases {
            var record = CallRecord(
                callID: .random(), contact: ContactID(rawValue: "ann"), name: "Ann Á 😀", direction: .outgoing,
                media: .video, startedAt: 1_700_000_000, answeredAt: 1_700_000_004, endedAt: 1_700_000_090,
                duration: 86_000, result: result, reason: .hungUp)
            add("call-record", record.encoded())
            record.setup.ringing = 1
            record.setup.firstFrame = 900
            record.path = CallRecord.Path(.turn, addressKind: .relayed)
            record.quality = CallRecord.Quality(
                roundTrip: 40, lossSent: 1, lossReceived: 2, target: 800_000, renewals: 1)
            record.data = CallRecord.DataUse(sent: 1, received: 2)
            record.isFrameEncrypted = true
            record.isFingerprintVerified = true
            add("call-record", record.encoded())
            add("call-record-key", CallRecordKey(record).encoded())
            record.members = [
                CallRecord.Member(name: "Ann", contact: ContactID(rawValue: "ann")), CallRecord.Member(name: "Zed"),
                CallRecord.Member(name: "Bo", contact: ContactID(rawValue: "bo")),
            ]
            record.groupReason = .removed
            add("call-record", record.encoded())
            add("call-record-key", CallRecordKey(record).encoded())
        }
    }
}
