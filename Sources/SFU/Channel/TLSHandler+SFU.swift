import NIOCore
import SFURules
import TLS
import TLSChannels

extension TLSHandler where Session == OpenSSLSession {
    /// TLS towards a call server. Those behind it hear of the channel when the handshake is complete and the certificate is good.
    convenience init(session: OpenSSLSession) {
        self.init(
            session: session,
            reports: Reports(
                isActiveAtOnce: false, established: { context, _ in context.fireChannelActive() },
                failure: { SFUError($0) }, notOpen: ChannelError.ioOnClosedChannel,
                endInHandshake: SFUError.unreachable(reason: "it closed the connection")))
    }
}

extension SFUError {
    /// What a failure of TLS means.
    init(_ failure: TLSFailure) {
        switch failure {
        case .certificate(let reason): self = .certificate(reason: reason)
        case .authorities: self = .authorities
        case .noApplicationProtocol: self = .unreachable(reason: "no application protocol")
        case .other(let reason): self = .unreachable(reason: reason ?? "it closed the connection")
        }
    }
}
