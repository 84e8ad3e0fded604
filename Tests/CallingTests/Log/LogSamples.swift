import Signaling
import TestSupport

@testable import Calling

extension CallRecord.Member {
    static func of(_ name: String, _ contact: String? = nil) -> Self {
        Self(name: name, contact: contact.map { ContactID(rawValue: $0) })
    }
}

extension CallRecord {
    /// Any record there can be.
    static func random(_ generator: inout SeededGenerator) -> CallRecord {
        func sometimes<Value>(_ value: Value) -> Value? { Bool.random(using: &generator) ? value : nil }
        func number() -> Int64 {
            Bool.random(using: &generator)
                ? .random(in: 0...100_000, using: &generator) : .random(in: .min ... .max, using: &generator)
        }
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
        let names = [
            "", "Ann", "Ann (2)", "Zoë Ångström", "\u{202E}gnirts", "日本", String(repeating: "long ", count: 60),
        ]
        let id = CallID(bytes: generator.bytes(Int.random(in: 1...64, using: &generator))) ?? .random()
        var record = CallRecord(
            callID: id, contact: ContactID(rawValue: pick(["", "ann", "bo"])), name: pick(names),
            direction: pick([.outgoing, .incoming]), media: pick(CallMedia.allCases), startedAt: number(),
            answeredAt: sometimes(number()), endedAt: sometimes(number()), duration: sometimes(number()),
            result: pick(CallResult.allCases), reason: sometimes(pick(CallEndReason.allCases)))
        record.setup.ringing = sometimes(number())
        record.setup.accepted = sometimes(number())
        record.setup.offer = sometimes(number())
        record.setup.answer = sometimes(number())
        record.setup.iceConnected = sometimes(number())
        record.setup.dtlsConnected = sometimes(number())
        record.setup.firstFrame = sometimes(number())
        record.path = sometimes(
            CallRecord.Path(
                pick(CallRecord.Path.Kind.allCases), addressKind: sometimes(pick(CallRecord.Path.AddressKind.allCases)))
        )
        record.quality = sometimes(
            CallRecord.Quality(
                roundTrip: sometimes(number()), lossSent: number(), lossReceived: number(), target: number(),
                renewals: number()))
        record.data = sometimes(CallRecord.DataUse(sent: number(), received: number()))
        record.isFrameEncrypted = sometimes(Bool.random(using: &generator))
        record.isFingerprintVerified = Bool.random(using: &generator)
        for _ in 0..<pick([0, 0, 1, 3]) {
            record.members.append(Member(name: pick(names), contact: pick([nil, ContactID(rawValue: "bo"), nil])))
        }
        record.groupReason = record.members.isEmpty ? nil : sometimes(pick(GroupCallEndReason.allCases))
        return record
    }

    /// A call with what matters for looking through the log.
    static func sample(
        _ contact: String = "ann", name: String = "Ann", _ direction: CallDirection = .incoming,
        _ media: CallMedia = .audio, at startedAt: Int64 = 1_000, _ result: CallResult = .completed
    ) -> CallRecord {
        CallRecord(
            callID: Samples.low, contact: ContactID(rawValue: contact), name: name, direction: direction, media: media,
            startedAt: startedAt, endedAt: startedAt, result: result, reason: nil)
    }
}
