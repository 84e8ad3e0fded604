import SMP

/// One transmission of a block, as far as it can be judged without the store.
enum IncomingCommand: Sendable {
    case command(Transmission, Command)
    case refused(SMPError, CorrelationID, EntityID)

    /// Reads a block's payload; the faults are those of SMP fact sheet §8.1.
    static func read(_ payload: [UInt8], version: SMPVersion) -> [IncomingCommand] {
        guard let transmissions = try? Batch.transmissions(payload, version: version) else {
            return [.refused(.block, .none, .none)]
        }
        return transmissions.map { result in
            switch result {
            case .success(let transmission): read(transmission, version)
            case .failure(let fault): .refused(fault.error, fault.correlationID, .none)
            }
        }
    }

    private static func read(_ transmission: Transmission, _ version: SMPVersion) -> IncomingCommand {
        let refused = { IncomingCommand.refused($0, transmission.correlationID, transmission.entityID) }
        do {
            let command = try Command(decoding: transmission.command, version: version)
            if let error = transmission.credentialError(for: command.tag) { return refused(.command(error)) }
            // No session here is a service's.
            if transmission.serviceSignature != nil { return refused(.service) }
            switch command.tag {
            case .subscribeService: return refused(.command(.prohibited))
            case .subscribeNotifierService: return refused(.service)
            default: break
            }
            return .command(transmission, command)
        } catch {
            return refused((error as? SMPDecodingError)?.commandError ?? .command(.syntax))
        }
    }
}
