/// `offer` and `answer`: half of a negotiation of the path between two members.
public struct GroupDescription: Sendable, Hashable {
    /// The highest number of a path.
    public static let highestPath = 65_535

    /// Which path of the two members it is for, from 0.
    public var path: Int
    /// The description.
    public var description: SessionDescription
    /// The first candidates.
    public var candidates: [ICECandidate]

    /// Makes a half.
    public init(path: Int, description: SessionDescription, candidates: [ICECandidate]) {
        self.path = path
        self.description = description
        self.candidates = candidates
    }
}

/// `extra`: more candidates for the path between two members.
public struct GroupCandidates: Sendable, Hashable {
    /// Which path of the two members they are for.
    public var path: Int
    /// The candidates.
    public var candidates: [ICECandidate]

    /// Makes a message.
    public init(path: Int, candidates: [ICECandidate]) {
        self.path = path
        self.candidates = candidates
    }
}

extension GroupDescription {
    init(json: JSONObject, kind: SessionDescription.Kind) throws(SignalingError) {
        path = try json.path()
        (description, candidates) = try json.session(of: kind)
    }

    var json: JSONObject {
        ["path": .integer(path), "rtcSession": JSONObject.session(description, candidates)]
    }
}

extension GroupCandidates {
    init(json: JSONObject) throws(SignalingError) {
        path = try json.path()
        candidates = try PackedSession.candidates(try json.string("rtcIceCandidates"))
    }

    var json: JSONObject {
        ["path": .integer(path), "rtcIceCandidates": .string(PackedSession.pack(candidates))]
    }
}

extension JSONObject {
    fileprivate func path() throws(SignalingError) -> Int {
        try integer("path", in: 0...GroupDescription.highestPath)
    }
}
