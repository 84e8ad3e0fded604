import MediaRules
import TLS

/// TLS towards a server of the open internet: its certificate is checked against the system's authorities, or those of a
/// file, and against its name.
final class TunnelTLS: Sendable {
    private let context: OpenSSLContext
    let url: ICEServerURL

    /// Reads the authorities. Throws ``RelayServerError``.
    init(_ url: ICEServerURL, authorities: String?) throws(RelayServerError) {
        self.url = url
        do throws(TLSFailure) {
            context = try OpenSSLContext(
                .client(authorities.map { .file($0) } ?? .system), TLSSettings(oldest: .tls12))
        } catch {
            if error == .authorities { throw .authorities(authorities ?? "") }
            throw .local(error.localReason)
        }
    }

    /// A connection that has not begun.
    func makeSession() throws(RelayServerError) -> Session {
        let isAddress = InternetAddress(literal: url.host) != nil
        let name = url.host.hasSuffix(".") ? String(url.host.dropLast()) : url.host
        do throws(TLSFailure) {
            return Session(
                try OpenSSLSession(context, peer: isAddress ? .address(url.host) : .name(name)), url.place)
        } catch {
            throw .local(error.localReason)
        }
    }

    /// One TLS session whose output waits until the network takes it. It belongs to one thread.
    final class Session {
        private let session: OpenSSLSession
        /// The server, for errors.
        private let place: String
        private var taken = ByteQueue()

        fileprivate init(_ session: OpenSSLSession, _ place: String) {
            (self.session, self.place) = (session, place)
        }

        /// Goes on with the handshake; true when it is complete and the certificate is good.
        func handshake() throws(RelayServerError) -> Bool {
            do throws(TLSFailure) {
                return try session.handshake()
            } catch {
                if case .certificate(let reason) = error { throw .certificate(place, reason: reason) }
                throw .handshake(place, reason: error.reason)
            }
        }

        /// Bytes that came from the network.
        func receive(_ bytes: UnsafeRawBufferPointer) { try? session.receive(bytes) }

        /// Reads what was decrypted; at most one record.
        func read(into buffer: UnsafeMutableRawBufferPointer) -> OpenSSLSession.ReadResult {
            (try? session.read(into: buffer)) ?? .closed
        }

        /// Encrypts bytes; they wait as output then. False when the session is over.
        func write(_ bytes: UnsafeRawBufferPointer) -> Bool { (try? session.write(bytes)) != nil }

        /// How many bytes wait to go to the network.
        var waitingOutput: Int { session.pendingOutput + taken.count }

        /// Hands waiting output to `send` until nothing is left or it takes no more; what it did not take comes first the
        /// next time.
        func flush(
            through buffer: inout [UInt8], _ send: (UnsafeRawBufferPointer) -> OwnedSocket.Outcome
        ) -> OwnedSocket.Outcome {
            while true {
                if taken.isEmpty {
                    let count = buffer.withUnsafeMutableBytes { session.takeOutput(into: $0) }
                    guard count > 0 else { return .bytes(0) }
                    taken.append(buffer[..<count])
                }
                switch taken.withFront(send) {
                case .bytes(let count): taken.removeFirst(count)
                case let end: return end
                }
            }
        }

        /// Tells the server that nothing follows (close_notify).
        func shutDown() { session.shutDown() }
    }
}

extension TLSFailure {
    /// Why nothing could be begun on this side.
    fileprivate var localReason: String { self == .other(nil) ? "unknown error of OpenSSL" : reason }

    fileprivate var reason: String {
        switch self {
        case .certificate(let reason): reason
        case .authorities: "no authorities"
        case .noApplicationProtocol: "no application protocol"
        case .other(let reason): reason ?? "the server closed the connection"
        }
    }
}
