/// The payload of a block: a count byte, then transmissions with two length bytes each (SMP fact sheet §6).
public enum Batch {
    /// The most transmissions of one batch.
    public static let maximumCount = 255

    /// One payload of these transmissions.
    ///
    /// - Throws: `SMPEncodingError` for none, for more than 255, or for one of more than 65,535 bytes.
    public static func encode(_ transmissions: [[UInt8]]) throws -> [UInt8] {
        guard !transmissions.isEmpty else { throw SMPEncodingError.invalid("empty batch") }
        return try ByteWriter.build { try $0.list(transmissions) { try $0.large($1) } }
    }

    /// The transmissions of a payload.
    ///
    /// - Throws: `SMPDecodingError` for count 0, a truncated batch or trailing bytes; a relay answers `BLOCK`.
    public static func decode(_ payload: [UInt8]) throws -> [[UInt8]] {
        try ByteReader.all(of: payload) { try $0.nonempty { try $0.large() } }
    }

    /// Decodes payload and transmissions; what a single transmission lacks does not touch the others.
    ///
    /// - Throws: `SMPDecodingError` when the batch itself does not parse.
    public static func transmissions(
        _ payload: [UInt8], version: SMPVersion, sessionID: [UInt8] = []
    ) throws -> [Result<Transmission, TransmissionFault>] {
        try decode(payload).map { bytes in
            do {
                return .success(try Transmission(decoding: bytes, version: version, sessionID: sessionID))
            } catch let fault as TransmissionFault {
                return .failure(fault)
            }
        }
    }

    /// Packs transmissions in their order into as few payloads as the rule gives: up to 255 in one, and up to 16,365
    /// bytes with their lengths, which fits a block of any version.
    ///
    /// - Throws: `SMPEncodingError.tooLong` when one alone does not fit.
    public static func pack(_ transmissions: [[UInt8]]) throws -> [[UInt8]] {
        var payloads: [[UInt8]] = []
        var group: [[UInt8]] = []
        var room = SMPLimits.batch
        for transmission in transmissions {
            let size = transmission.count + 2
            guard size <= SMPLimits.batch else { throw SMPEncodingError.tooLong }
            if size > room || group.count == maximumCount {
                payloads.append(try encode(group))
                group = []
                room = SMPLimits.batch
            }
            group.append(transmission)
            room -= size
        }
        if !group.isEmpty { payloads.append(try encode(group)) }
        return payloads
    }
}
