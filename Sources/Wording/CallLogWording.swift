import CallControl
import Calling
import Parley
import Signaling

extension CallResult {
    /// What became of a call of the log, in few words.
    public func words(_ direction: CallDirection) -> String {
        switch (self, direction) {
        case (.noAnswer, .incoming), (.busy, .incoming): tr("missed")
        case (.noAnswer, .outgoing): tr("no answer")
        case (.busy, .outgoing): tr("busy")
        case (.completed, _): tr("completed")
        case (.declined, .incoming): tr("declined")
        case (.declined, .outgoing): tr("was declined")
        case (.canceled, _): tr("canceled")
        case (.timedOut, _): tr("not connected in time")
        case (.connectionLost, _): tr("connection lost")
        case (.dialFailed, _), (.acceptFailed, _): tr("failed")
        case (.otherDeviceAccepted, _): tr("taken on another device")
        case (.securityFailed, _): tr("ended for security")
        }
    }
}

extension LogFacts {
    /// What other programs are told of a call of the log, and what JSON lines have: times in seconds since 1970, spans in milliseconds,
    /// losses of 10 000 packets.
    package init(_ call: LoggedCall) {
        let record = call.record
        var values: [String: Value] = [
            "number": .number(call.id), "call": .text(record.callID.text), "contact": .text(record.name),
            "contactID": .text(record.contact.rawValue), "direction": .text(record.direction.rawValue),
            "media": .text(record.media.rawValue), "started": .number(record.startedAt),
            "result": .text(record.result.name), "missed": .flag(record.isMissed),
            "fingerprintVerified": .flag(record.isFingerprintVerified),
        ]
        values["answered"] = record.answeredAt.map(Value.number)
        values["ended"] = record.endedAt.map(Value.number)
        values["duration"] = record.duration.map(Value.number)
        values["reason"] = record.reason.map { .text($0.rawValue) }
        let steps = record.setup.steps
        if !steps.isEmpty {
            values["setup"] = .numbers(Dictionary(steps.map { ($0.name, $0.milliseconds) }) { first, _ in first })
        }
        values["path"] = record.path.map { .text($0.kind.name) }
        values["addressKind"] = record.path?.addressKind.map { .text($0.name) }
        if let quality = record.quality {
            values["roundTrip"] = quality.roundTrip.map(Value.number)
            values["lossSent"] = .number(quality.lossSent)
            values["lossReceived"] = .number(quality.lossReceived)
            values["target"] = .number(quality.target)
            values["renewals"] = .number(quality.renewals)
        }
        if let data = record.data {
            values["bytesSent"] = .number(data.sent)
            values["bytesReceived"] = .number(data.received)
        }
        if !record.members.isEmpty { values["members"] = .texts(record.members.map(\.name)) }
        values["groupReason"] = record.groupReason.map { .text($0.rawValue) }
        values["encrypted"] = record.isFrameEncrypted.map(Value.flag)
        self.init(values)
    }
}

extension CallRecord.Path.Kind {
    fileprivate var name: String {
        switch self {
        case .direct: "direct"
        case .turn: "turn"
        }
    }
}

extension CallRecord.Path.AddressKind {
    /// As candidates have it (RFC 8839, section 5.1).
    fileprivate var name: String {
        switch self {
        case .host: "host"
        case .serverReflexive: "srflx"
        case .peerReflexive: "prflx"
        case .relayed: "relay"
        }
    }
}
