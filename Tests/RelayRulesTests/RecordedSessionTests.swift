import Cryptography
import SMP
import SMPSession
import TestSupport
import Testing

@testable import RelayRules
@testable import SMPSession

/// Recorded sessions of another implementation, replayed byte for byte against relay and client.
@Suite(.timeLimit(.minutes(5))) struct RecordedSessionTests {
    static let versions: [UInt16] = [9, 11, 14, 15, 16, 17]

    /// The relay's end of one recorded connection.
    private struct RelayEnd {
        let context: SessionContext
        var cipher: BlockCipher
        var blocks: ArraySlice<RecordedSession.Block>

        /// The next recorded block of one direction, which must be the next of all.
        mutating func next(fromServer: Bool) throws -> RecordedSession.Block {
            let block = try blocks.take()
            try #require(block.fromServer == fromServer)
            return block
        }
    }

    @Test(arguments: versions) func `the relay answers as recorded`(number: UInt16) throws {
        let session = try RecordedSession(version: SMPVersion(rawValue: number))
        let (entropy, clock) = try session.entropy()
        let core = RelayCore(entropy: entropy, clock: clock)
        var ends: [String: RelayEnd] = [:]
        for (index, name) in ["receiver", "sender"].enumerated() {
            ends[name] = try greet(session, name, SessionNumber(index))
        }
        var pushes: [Push] = []
        for step in session.steps {
            var end = try #require(ends[step.connection])
            if step.isCommand {
                let request = try end.next(fromServer: false)
                let output = core.process(request.payload, session: end.context)
                for payload in output.payloads {
                    let response = try end.next(fromServer: true)
                    #expect(payload == response.payload)
                    let block = try end.cipher.seal(payload)
                    #expect(Digest.sha256(block) == response.wireHash)
                }
                pushes += output.pushes
            } else {
                let push = try #require(pushes.first)
                pushes.removeFirst()
                #expect(push.session == end.context.number)
                let event = try end.next(fromServer: true)
                let transmission = try #require(push.reply.transmission(.none, push.entity, session.version))
                #expect(try Batch.encode([transmission]) == event.payload)
                let block = try end.cipher.seal(event.payload)
                #expect(Digest.sha256(block) == event.wireHash)
            }
            ends[step.connection] = end
        }
        #expect(pushes.isEmpty)
        #expect(ends.values.allSatisfy { $0.blocks.isEmpty })
    }

    private func greet(_ session: RecordedSession, _ name: String, _ number: SessionNumber) throws -> RelayEnd {
        let connection = try #require(session.connections[name])
        let recorded = try session.serverHello(name)
        let key = try session.sessionKey(name)
        let greeting = ServerGreeting(
            versions: recorded.versions, sessionID: connection.sessionID, certifiedKey: try #require(recorded.key),
            sessionKey: key)
        var blocks = connection.blocks[...]
        let first = try blocks.take()
        let hello = try greeting.block()
        #expect(Digest.sha256(hello) == first.wireHash)
        let second = try blocks.take()
        let agreement = try greeting.agree(on: Padding.pad(second.payload, to: SMPLimits.block))
        #expect(agreement.version == session.version)
        let context = SessionContext(
            number: number, version: agreement.version, sessionID: connection.sessionID, key: key,
            secret: agreement.secret)
        return RelayEnd(context: context, cipher: agreement.cipher, blocks: blocks)
    }

    @Test(arguments: versions, ["receiver", "sender"])
    func `the client speaks and understands as recorded`(number: UInt16, name: String) throws {
        let session = try RecordedSession(version: SMPVersion(rawValue: number))
        let connection = try #require(session.connections[name])
        let hello = try session.serverHello(name)
        let keyHash = try #require(hello.key?.keyHash)
        var client = ClientMachine(
            versions: SMPVersionRange(6...number), keyHash: keyHash, sessionKey: connection.clientKey)
        client.tlsEstablished(
            TLSDetails(
                sessionID: connection.sessionID, applicationProtocol: "smp/1", serverChain: hello.key?.chain ?? []))
        var blocks = connection.blocks[...]
        let greeting = try blocks.take()
        let answer = try blocks.take()
        let effects = client.received(try Padding.pad(greeting.payload, to: SMPLimits.block))
        #expect(effects.blocks.map(Digest.sha256) == [answer.wireHash])
        var server =
            session.version >= .blockEncryption
            ? try BlockCipher(sessionID: connection.sessionID, secret: connection.secret, side: .server)
            : BlockCipher()
        for (index, step) in session.steps.filter({ $0.connection == name }).enumerated() {
            if step.isCommand {
                let request = try blocks.take()
                let sent = client.submit([(number: index, request: try self.request(request.payload, session))])
                #expect(sent.blocks.map(Digest.sha256) == [request.wireHash])
            }
            let block = try blocks.take()
            let received = client.received(try server.seal(block.payload))
            try expect(received, step, index, session.version)
        }
        #expect(blocks.isEmpty)
    }

    /// The request that a recorded block carries.
    private func request(_ payload: [UInt8], _ session: RecordedSession) throws -> RelayRequest {
        let first = try Batch.transmissions(payload, version: session.version).first
        let transmission = try #require(first).get()
        let command = try Command(decoding: transmission.command, version: session.version)
        let signer = command.tag.credentials.signer
        let isSender = [CommandTag.send, .secure, .secureAndGetLink].contains(command.tag)
        let key = isSender ? session.senderKey : session.recipientKey
        return RelayRequest(
            command, entity: transmission.entityID,
            key: transmission.authenticator.isEmpty || signer == .none ? nil : key,
            correlationID: transmission.correlationID)
    }

    private func expect(
        _ effects: [ClientMachine.Effect], _ step: RecordedSession.Step, _ index: Int, _ version: SMPVersion
    ) throws {
        let message = try BrokerMessage(decoding: step.expected, version: version)
        let effect = try #require(effects.first)
        switch (effect, step.isCommand) {
        case (.settle(let number, .success(let response)), true):
            #expect(number == index)
            #expect(response == message)
        case (.settle(let number, .failure(.refused(let error))), true):
            #expect(number == index)
            #expect(.error(error) == message)
        case (.event(.message(_, let id, let body)), false): #expect(.message(id, body: body) == message)
        default: Issue.record("unexpected \(effects)")
        }
    }
}

extension [ClientMachine.Effect] {
    fileprivate var blocks: [[UInt8]] {
        compactMap { if case .send(let block) = $0 { block } else { nil } }
    }
}

extension ArraySlice<RecordedSession.Block> {
    fileprivate mutating func take() throws -> RecordedSession.Block {
        guard let block = popFirst() else { throw RecordedSession.MissingVector() }
        return block
    }
}
