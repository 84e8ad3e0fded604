import STUN

/// What is said to a STUN or TURN server to see whether it works, as a value: bytes of the server go in, bytes for it come out.
///
/// STUN: one Binding request. TURN: an Allocate request, the same with the login once the server has said its realm and nonce
/// (RFC 8656 §7.1), and at last a Refresh that gives the address back.
package struct ServerExchange: Sendable {
    /// What is to be done next.
    package enum Step: Equatable, Sendable {
        /// Send this, and again as long as nothing comes.
        case ask([UInt8])
        /// It is over. The bytes, if any, are to be sent once more, without waiting for an answer.
        case done(Outcome, farewell: [UInt8]?)
    }

    /// How it went.
    package enum Outcome: Equatable, Sendable {
        case answered(seen: String?, relayed: String?)
        /// The server does not take the login. (its number, RFC 8656 §19)
        case loginRefused(Int)
        /// It refuses something else. (number and reason)
        case refused(Int, String)
        /// It said something that can't be understood.
        case malformed
    }

    private enum State: Sendable {
        case asking
        case askingWithLogin(attempts: Int)
        case over
    }

    private let login: (username: String, password: String)?
    private let makeTransaction: @Sendable () -> [UInt8]
    private var state = State.asking
    private var transaction: [UInt8] = []
    private var key: [UInt8]?

    /// - Parameters:
    ///   - login: that of a TURN server; nil for a STUN server.
    ///   - makeTransaction: gives 12 bytes that nobody can guess.
    package init(login: (username: String, password: String)?, makeTransaction: @escaping @Sendable () -> [UInt8]) {
        (self.login, self.makeTransaction) = (login, makeTransaction)
    }

    /// Begins.
    package mutating func begin() -> [UInt8] { request(login == nil ? .binding : .allocate) { _ in } }

    /// A whole message came; nil when it is no answer to what was asked last, and nothing is to be done.
    package mutating func receive(_ bytes: [UInt8]) -> Step? {
        guard let answer = STUNMessage(decoding: bytes), answer.transaction == transaction, !answer.isDamaged
        else { return nil }
        switch (state, answer.kind) {
        case (.over, _), (_, .request), (_, .indication): return nil
        case (.asking, .success) where login == nil: return finish(answer)
        case (.askingWithLogin, .success):
            // Somebody else could say so; only the server knows the password.
            guard let key, answer.isSigned(with: key) else { return nil }
            return finish(answer)
        case (.asking, .success): return end(.malformed)
        case (_, .error): return refused(answer)
        }
    }

    private mutating func finish(_ answer: STUNMessage) -> Step {
        guard login != nil else {
            return end(answer.seenAddress.map { .answered(seen: $0, relayed: nil) } ?? .malformed)
        }
        guard let relayed = answer.relayedAddress else { return end(.malformed) }
        let farewell = request(.refresh) { $0.add(.lifetime, [0, 0, 0, 0]) }
        return end(.answered(seen: answer.seenAddress, relayed: relayed), farewell: farewell)
    }

    private mutating func refused(_ answer: STUNMessage) -> Step {
        guard let (code, reason) = answer.refusal else { return end(.malformed) }
        let attempts = if case .askingWithLogin(let attempts) = state { attempts } else { 0 }
        // 401 asks for the login; 438 says that the nonce is too old, and gives another (RFC 8489 §9.2.5).
        guard let login, (code == 401 && attempts == 0) || (code == 438 && attempts < 3) else {
            return end([401, 441].contains(code) ? .loginRefused(code) : .refused(code, reason))
        }
        guard let realm = answer[.realm], let nonce = answer[.nonce] else { return end(.malformed) }
        key = STUNMessage.longTermKey(username: login.username, realm: realm, password: login.password)
        credentials = (realm, nonce)
        state = .askingWithLogin(attempts: attempts + 1)
        return .ask(request(.allocate) { _ in })
    }

    private var credentials: (realm: [UInt8], nonce: [UInt8])?

    private mutating func request(_ method: STUNMessage.Method, _ fill: (inout STUNMessage) -> Void) -> [UInt8] {
        transaction = makeTransaction()
        var message = STUNMessage(method, transaction: transaction)
        // UDP towards the peer, whatever leads to the server (RFC 8656 §18.7).
        if method == .allocate { message.add(.requestedTransport, [17, 0, 0, 0]) }
        fill(&message)
        if let credentials, let login {
            message.add(.username, Array(login.username.utf8))
            message.add(.realm, credentials.realm)
            message.add(.nonce, credentials.nonce)
        }
        return message.encoded(key: key)
    }

    private mutating func end(_ outcome: Outcome, farewell: [UInt8]? = nil) -> Step {
        state = .over
        return .done(outcome, farewell: farewell)
    }
}
