import Cryptography
import SMP
import SMPSession

// Commands that a proxy hands over for clients it hides (SMP fact sheet §10, steps 4 and 5).
extension RelayCore {
    /// Answers RFWD.
    func forward(_ sealed: [UInt8], _ correlationID: CorrelationID, _ session: SessionContext) -> Execution {
        guard let secret = session.secret,
            let plain = try? ProxyLayers.openOuter(sealed, secret: secret, correlationID: correlationID, .request)
        else { return .refusal(.crypto) }
        guard let forwarded = try? ForwardedCommand(decoding: plain),
            SMPVersionRange.proxied.contains(forwarded.command.version)
        else { return .refusal(.command(.syntax)) }
        guard let inner = try? session.key.sharedSecret(with: forwarded.command.key),
            let batch = try? ProxyLayers.openInner(
                forwarded.command.sealed, secret: inner, correlationID: forwarded.correlationID, .request)
        else { return .refusal(.crypto) }
        let version = forwarded.command.version
        let incoming = IncomingCommand.read(batch, version: version)
        guard incoming.count == 1, let item = incoming.first else { return .refusal(.block) }
        var (response, execution) = answer(item, version: version, session)
        execution.reply =
            response.map { seal($0, inner: inner, outer: secret, forwarded.correlationID, correlationID) }
            ?? .refusal(.internalError)
        return execution
    }

    /// The batch with the response to the client, and what the command led to.
    private func answer(
        _ item: IncomingCommand, version: SMPVersion, _ session: SessionContext
    ) -> (batch: [UInt8]?, execution: Execution) {
        let execution: Execution
        let correlationID: CorrelationID
        let entity: EntityID
        switch item {
        case .refused(let error, let id, let named):
            (execution, correlationID, entity) = (.refusal(error), id, named)
        case .command(let transmission, let command):
            (correlationID, entity) = (transmission.correlationID, transmission.entityID)
            execution = carryOut(command, transmission, version: version, session)
        }
        let encoded = execution.reply.transmission(correlationID, entity, version)
        return (encoded.flatMap { try? Batch.encode([$0]) }, execution)
    }

    private func carryOut(
        _ command: Command, _ transmission: Transmission, version: SMPVersion, _ session: SessionContext
    ) -> Execution {
        switch command {
        case .send, .secure, .secureAndGetLink, .getLink: break
        default: return .refusal(.command(.prohibited))
        }
        let lookup = withStore { $0.keys(for: command, entity: transmission.entityID) }
        guard session.verifier.accepts(transmission, lookup) else { return .refusal(.authentication) }
        let context = SessionContext(
            number: session.number, version: version, sessionID: session.sessionID, key: session.key, secret: nil,
            origin: session.origin)
        return execute(command, transmission, context)
    }

    private func seal(
        _ response: [UInt8], inner: SecretBytes, outer: SecretBytes, _ clientID: CorrelationID,
        _ proxyID: CorrelationID
    ) -> Reply {
        do {
            let sealed = try ProxyLayers.sealInner(response, secret: inner, correlationID: clientID, .response)
            let plain = try ForwardedResponse(correlationID: clientID, sealed: sealed).encoded()
            return .plain(
                .relayResponse(ProxyLayers.sealOuter(plain, secret: outer, correlationID: proxyID, .response)))
        } catch {
            return .refusal(.internalError)
        }
    }
}
