import SMP
import Testing

@Suite("Credentials of commands", .timeLimit(.minutes(5)))
struct CommandCredentialsTests {
    /// What a relay must find for a command with: nothing, an entity, an authenticator, both (SMP fact sheet §8.1).
    private func errors(_ tag: CommandTag) -> [SMPError.CommandError?] {
        [(false, false), (false, true), (true, false), (true, true)].map {
            tag.credentialError(hasAuthenticator: $0.0, hasEntity: $0.1)
        }
    }

    @Test("NEW needs an authenticator and must not name an entity")
    func new() {
        #expect(errors(.new) == [.noAuthenticator, .noAuthenticator, nil, .hasAuthenticator])
    }

    @Test("SEND needs an entity and leaves the authenticator open")
    func send() {
        #expect(errors(.send) == [.noEntity, nil, .noEntity, nil])
    }

    @Test(
        "LGET and PFWD need an entity and must not be authenticated", arguments: [CommandTag.getLink, .forwardToProxy])
    func withoutAuthenticator(_ tag: CommandTag) {
        #expect(errors(tag) == [.noEntity, nil, .noEntity, .hasAuthenticator])
    }

    @Test("PING, PRXY and RFWD take neither", arguments: [CommandTag.ping, .openProxySession, .forwardToRelay])
    func bare(_ tag: CommandTag) {
        #expect(errors(tag) == [nil, .hasAuthenticator, .hasAuthenticator, .hasAuthenticator])
    }

    @Test(
        "Every other command needs both",
        arguments: Set(CommandTag.allCases).subtracting([
            .new, .send, .getLink, .forwardToProxy, .ping, .openProxySession, .forwardToRelay,
        ]))
    func both(_ tag: CommandTag) {
        #expect(errors(tag) == [.noAuthenticator, .noAuthenticator, .noAuthenticator, nil])
    }

    @Test("The signer fits the rule: somebody signs exactly where an authenticator may be")
    func signers() {
        for tag in CommandTag.allCases {
            let line = tag.credentials
            #expect((line.signer == .none) == (line.authenticator == .forbidden))
        }
    }

    @Test("A transmission is judged by what it carries")
    func transmissions() {
        let ping = Transmission(correlationID: .random(), entityID: .random(), command: Array("PING".utf8))
        #expect(ping.credentialError(for: .ping) == .hasAuthenticator)
        #expect(ping.credentialError(for: .subscribe) == .noAuthenticator)
        #expect(ping.credentialError(for: .send) == nil)
    }
}
