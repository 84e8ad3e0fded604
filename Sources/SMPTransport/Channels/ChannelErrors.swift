import Glibc
import NIOCore
import NIOPosix
import SMPSession

extension TransportError {
    /// What an error of the channel means.
    init(channelError error: any Error) {
        switch error {
        case let error as TransportError: self = error
        case ChannelError.connectTimeout: self = .timeout(.connect)
        case let error as IOError: self = .socket(Self.words(error))
        case ChannelError.alreadyClosed, ChannelError.ioOnClosedChannel: self = .closed
        default: self = .socket("\(error)")
        }
    }

    /// What an error of connecting to a host means.
    init(connecting error: any Error, host: String) {
        switch error {
        case let error as NIOConnectionError:
            let causes = error.connectionErrors.map(\.error)
            if let refusal = error.dnsAError as? TransportError {
                self = refusal
            } else if let cause = causes.first {
                self = TransportError(connecting: cause, host: host)
            } else {
                self = .hostUnreachable(host: host, reason: "its name is unknown")
            }
        case let error as IOError: self = .hostUnreachable(host: host, reason: Self.words(error))
        default: self = TransportError(channelError: error)
        }
    }

    private static func words(_ error: IOError) -> String {
        String(cString: strerror(error.errnoCode)).lowercased()
    }
}
