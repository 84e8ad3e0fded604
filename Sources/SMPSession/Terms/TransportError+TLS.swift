import TLS

extension TransportError {
    /// What a failure of TLS is to SMP.
    init(_ failure: TLSFailure) {
        switch failure {
        case .noApplicationProtocol: self = .noApplicationProtocol
        case .certificate(let reason): self = .tls(reason)
        case .authorities: self = .tls("no authorities")
        case .other(let reason): self = .tls(reason ?? "unknown TLS error")
        }
    }
}
