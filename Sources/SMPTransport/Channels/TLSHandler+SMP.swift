import SMPSession
import TLSChannels

extension TLSSession: TLSRecords {}

extension TLSHandler where Session == TLSSession {
    /// TLS of SMP; fires ``TLSDetails`` as a user event when the handshake is complete.
    convenience init(session: TLSSession) {
        self.init(
            session: session,
            reports: Reports(
                isActiveAtOnce: true,
                established: { context, session in context.fireUserInboundEventTriggered(session.details()) },
                failure: { $0 }, notOpen: TransportError.closed, endByPeer: TransportError.closedByPeer))
    }
}
