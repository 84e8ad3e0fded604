import Cryptography

extension CallMessage {
    /// The name of its event.
    public var event: String {
        switch self {
        case .invitation: "x.call.inv"
        case .offer: "x.call.offer"
        case .answer: "x.call.answer"
        case .extra, .renew: "x.call.extra"
        case .standing: CallStanding.event
        case .end: "x.call.end"
        }
    }

    /// Reads the parameters of an event.
    /// - Throws: ``SignalingError``.
    init(event: String, parameters: JSONObject) throws(SignalingError) {
        guard let id = CallID(parsing: try parameters.string("callId")) else { throw .invalidField("callId") }
        switch event {
        case "x.call.inv": self = .invitation(id, try CallInvitation(json: try parameters.object("invitation")))
        case "x.call.offer": self = .offer(id, try CallOffer(json: try parameters.object("offer")))
        case "x.call.answer": self = .answer(id, try CallAnswer(json: try parameters.object("answer")))
        case "x.call.extra":
            let info = try parameters.object("extra").object("rtcExtraInfo")
            let content = try PackedSession.unpack(try info.string("rtcIceCandidates"))
            if let number = TransportRequest.number(in: content) {
                self = .renew(id, after: number)
            } else {
                self = .extra(id, PackedSession.candidates(in: content))
            }
        case CallStanding.event:
            guard let standing = CallStanding(rawValue: try parameters.string(CallStanding.key)) else {
                throw .invalidField(CallStanding.key)
            }
            self = .standing(id, standing)
        case "x.call.end":
            // A cause of a later version is none that this one knows; the end stays an end.
            self = .end(id, because: parameters[CallEndCause.key]?.string.flatMap(CallEndCause.init))
        default: throw .invalidField("event")
        }
    }

    /// The parameters as they are sent.
    var parameters: JSONObject {
        var object: JSONObject = ["callId": .string(callID.text)]
        switch self {
        case .invitation(_, let invitation): object["invitation"] = .object(invitation.json)
        case .offer(_, let offer): object["offer"] = .object(offer.json)
        case .answer(_, let answer): object["answer"] = .object(answer.json)
        case .extra(_, let candidates):
            let info: JSONObject = ["rtcIceCandidates": .string(PackedSession.pack(candidates))]
            object["extra"] = .object(["rtcExtraInfo": .object(info)])
        case .renew(_, let number):
            let info: JSONObject = ["rtcIceCandidates": .string(TransportRequest.pack(after: number))]
            object["extra"] = .object(["rtcExtraInfo": .object(info)])
        case .standing(_, let standing): object[CallStanding.key] = .string(standing.rawValue)
        case .end(_, let cause): object[CallEndCause.key] = cause.map { .string($0.rawValue) }
        }
        return object
    }
}

extension CallInvitation {
    init(json: JSONObject) throws(SignalingError) {
        callType = try CallType(json: try json.object("callType"))
        publicKey = try json.optionalKey("callDhPubKey")
        settlesCrossing = json[Self.crossingKey]?.bool ?? false
    }

    /// Parley's own field of an invitation; other programs pass over it (Calls fact sheet §1).
    private static let crossingKey = "parleyCrossing"

    var json: JSONObject {
        var object: JSONObject = ["callType": .object(callType.json)]
        object["callDhPubKey"] = publicKey?.jsonText
        if settlesCrossing { object[Self.crossingKey] = .bool(true) }
        return object
    }
}

extension CallOffer {
    init(json: JSONObject) throws(SignalingError) {
        callType = try CallType(json: try json.object("callType"))
        (description, candidates) = try json.session(of: .offer)
        publicKey = try json.optionalKey("callDhPubKey")
    }

    var json: JSONObject {
        var object: JSONObject = [
            "callType": .object(callType.json), "rtcSession": JSONObject.session(description, candidates),
        ]
        object["callDhPubKey"] = publicKey?.jsonText
        return object
    }
}

extension CallAnswer {
    init(json: JSONObject) throws(SignalingError) {
        (description, candidates) = try json.session(of: .answer)
    }

    var json: JSONObject { ["rtcSession": JSONObject.session(description, candidates)] }
}

extension JSONObject {
    func session(
        of kind: SessionDescription.Kind
    ) throws(SignalingError) -> (SessionDescription, [ICECandidate]) {
        let session = try object("rtcSession")
        return (
            try PackedSession.description(try session.string("rtcSession"), of: kind),
            try PackedSession.candidates(try session.string("rtcIceCandidates"))
        )
    }

    static func session(_ description: SessionDescription, _ candidates: [ICECandidate]) -> JSONValue {
        .object([
            "rtcSession": .string(PackedSession.pack(description)),
            "rtcIceCandidates": .string(PackedSession.pack(candidates)),
        ])
    }
}

extension X25519.PublicKey {
    fileprivate var jsonText: JSONValue { .string(Base64URL.encode(derRepresentation)) }
}
