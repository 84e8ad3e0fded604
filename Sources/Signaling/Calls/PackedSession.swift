/// The packed texts `rtcSession` and `rtcIceCandidates` (Calls fact sheet §3.2).
enum PackedSession {
    static func pack(_ description: SessionDescription) -> String {
        let json = JSONValue.object(["type": .string(description.kind.rawValue), "sdp": .string(description.sdp)])
        return LZString.compressToBase64(json.text)
    }

    static func pack(_ candidates: [ICECandidate]) -> String {
        LZString.compressToBase64(JSONValue.array(candidates.map(\.json)).text)
    }

    static func description(
        _ packed: String, of kind: SessionDescription.Kind
    ) throws(SignalingError) -> SessionDescription {
        guard let object = try unpack(packed).object else { throw .invalidField("rtcSession") }
        guard try object.string("type") == kind.rawValue else { throw .invalidField("type") }
        return SessionDescription(kind: kind, sdp: try object.string("sdp"))
    }

    /// A value that is no array is a proposal this program does not know, and holds no candidates.
    static func candidates(_ packed: String) throws(SignalingError) -> [ICECandidate] {
        candidates(in: try unpack(packed))
    }

    static func candidates(in value: JSONValue) -> [ICECandidate] {
        let elements = value.array ?? []
        return elements.prefix(ICECandidate.maximumCount).compactMap(ICECandidate.init(json:))
    }

    static func unpack(_ packed: String) throws(SignalingError) -> JSONValue {
        let text: String
        do throws(LZStringError) {
            text = try LZString.decompress(packed)
        } catch {
            throw .invalidPacking(error)
        }
        do throws(JSONError) {
            return try JSONValue(parsing: Array(text.utf8))
        } catch {
            throw .invalidJSON(error)
        }
    }
}
