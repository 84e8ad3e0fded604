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

    @Test func `NEW needs an authenticator and must not name an entity`() {
        #expect(errors(.new) == [.noAuthenticator, .noAuthenticator, nil, .hasAuthenticator])
    }

    @Test func `SEND needs an entity and leaves the authenticator open`() {
        #expect(errors(.send) == [.noEntity, nil, .noEntity, nil])
    }

    @Test(arguments: [CommandTag.getLink, .forwardToProxy])
    func `LGET and PFWD need an entity and must not be authenticated`(_ tag: CommandTag) {
        #expect(errors(tag) == [.noEntity, nil, .noEntity, .hasAuthenticator])
    }

    @Test(arguments: [CommandTag.ping, .openProxySession, .forwardToRelay])
    func `PING, PRXY and RFWD take neither`(_ tag: CommandTag) {
        #expect(errors(tag) == [nil, .hasAuthenticator, .hasAuthenticator, .hasAuthenticator])
    }

    @Test(
        arguments: Set(CommandTag.allCases).subtracting([
            .new, .send, .getLink, .forwardToProxy, .ping, .openProxySession, .forwardToRelay,
        ]))
    func `every other command needs both`(_ tag: CommandTag) {
        #expect(errors(tag) == [.noAuthenticator, .noAuthenticator, .noAuthenticator, nil])
    }

    @Test func `the signer fits the rule: somebody signs exactly where an authenticator may be`() {
        for tag in CommandTag.allCases {
            let line = tag.credentials
            #expect((line.signer == .none) == (line.authenticator == .forbidden))
        }
    }

    @Test func `a transmission is judged by what it carries`() {
        let ping = Transmission(correlationID: .random(), entityID: .random(), command: Array("PING".utf8))
        #expect(ping.credentialError(for: .ping) == .hasAuthenticator)
        #expect(ping.credentialError(for: .subscribe) == .noAuthenticator)
        #expect(ping.credentialError(for: .send) == nil)
    }
}
