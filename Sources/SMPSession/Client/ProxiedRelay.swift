import Cryptography
import SMP

/// A relay behind a proxy, as PKEY told of it and as the client has checked it (SMP fact sheet §10). It does no I/O.
///
/// The proxy can neither read nor change what goes through: each command is sealed for the session key that the relay's own
/// certificate signs, and that certificate's authority is named in the relay's address.
public struct ProxiedRelay: Sendable {
    /// The relay.
    public let address: RelayAddress
    /// The version commands to it are made for.
    public let version: SMPVersion
    /// The session between proxy and relay.
    public let sessionID: [UInt8]

    private let serverKey: X25519.PublicKey

    /// Checks what a proxy says of a relay.
    ///
    /// - Parameters:
    ///   - address: the relay that was asked for.
    ///   - versions: those of this side.
    ///   - time: seconds since 1970 to check certificates at; nil for now.
    /// - Throws: `ProxiedRequestError.identity` when the key is not that relay's, `.version`.
    public init(
        _ session: ProxySession, address: RelayAddress, versions: SMPVersionRange, time: Int64? = nil
    ) throws(ProxiedRequestError) {
        do {
            try CertificateChain(certificates: session.key.chain).verify(keyHash: address.keyHash, time: time)
        } catch {
            throw .identity(error)
        }
        guard let key = try? session.key.agreementKey(keyHash: address.keyHash) else {
            throw .identity(.hello(.signature))
        }
        guard let common = session.versions.intersection(versions)?.intersection(.proxied) else { throw .version }
        self.address = address
        version = common.max
        sessionID = session.sessionID
        serverKey = key
    }

    /// Seals a command for the relay, under a key made for it alone.
    ///
    /// - Parameters:
    ///   - request: what the relay is to do; its correlation id is that of the PFWD and the nonce of the box.
    ///   - key: fresh for each command.
    /// - Throws: `ProxiedRequestError.notEncodable`.
    public func seal(
        _ request: RelayRequest, key: X25519.PrivateKey = .init()
    ) throws(ProxiedRequestError) -> ProxiedExchange {
        do {
            let transmission = try Transmission(
                request.command, correlationID: request.correlationID, entityID: request.entity, version: version,
                sessionID: sessionID, key: request.key, serverKey: serverKey)
            let secret = try key.sharedSecret(with: serverKey)
            let sealed = try ProxyLayers.sealInner(
                Batch.encode([transmission.encoded(version)]), secret: secret, correlationID: request.correlationID,
                .request)
            let command = ProxiedCommand(version: version, key: key.publicKey, sealed: sealed)
            return ProxiedExchange(
                request: RelayRequest(
                    .forwardToProxy(command), entity: EntityID(sessionID), correlationID: request.correlationID),
                version: version, entity: request.entity, secret: secret)
        } catch {
            throw .notEncodable
        }
    }
}

/// One command on its way through a proxy.
public struct ProxiedExchange: Sendable {
    /// For the proxy: PFWD.
    public let request: RelayRequest

    private let version: SMPVersion
    private let entity: EntityID
    private let secret: SecretBytes

    init(request: RelayRequest, version: SMPVersion, entity: EntityID, secret: SecretBytes) {
        self.request = request
        self.version = version
        self.entity = entity
        self.secret = secret
    }

    /// What the relay answered.
    ///
    /// - Parameter sealed: the content of PRES.
    /// - Throws: `ProxiedRequestError.forged` for what the relay did not seal for this command, `.refused` for its own error,
    ///   `.unexpectedResponse` for what makes no sense.
    public func open(_ sealed: [UInt8]) throws(ProxiedRequestError) -> BrokerMessage {
        let id = request.correlationID
        guard let batch = try? ProxyLayers.openInner(sealed, secret: secret, correlationID: id, .response) else {
            throw .forged
        }
        guard let transmissions = try? Batch.transmissions(batch, version: version), transmissions.count == 1,
            case .success(let transmission) = transmissions[0],
            let message = try? BrokerMessage(decoding: transmission.command, version: version)
        else { throw .unexpectedResponse }
        if case .error(let error) = message { throw .refused(error) }
        guard transmission.correlationID == id, transmission.entityID == entity else { throw .unexpectedResponse }
        return message
    }
}
