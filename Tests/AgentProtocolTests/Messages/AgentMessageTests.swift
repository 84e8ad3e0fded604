import Cryptography
import SMP
import TestSupport
import Testing

@testable import AgentProtocol

/// Agent envelopes and messages as the recording program wrote them.
@Suite(.timeLimit(.minutes(5))) struct AgentMessageTests {
    private let vectors: VectorValue
    init() throws { vectors = try Vectors.group("agent_messages") }

    private func message(_ type: String, at index: Int = 0) throws -> VectorValue {
        let matching = vectors["messages"].items.filter { $0["type"].string == type }
        return try #require(matching.indices.contains(index) ? matching[index] : nil)
    }

    /// Checks that a recorded numbered message is `content`, in both directions.
    private func expect(_ content: AMessage, is vector: VectorValue) throws {
        let expected = AgentMessage.message(
            id: Int64(try #require(vector["args"]["snd_msg_id"].integer)),
            previousHash: try #require(vector["args"]["prev_msg_hash"].bytes), content)
        try expect(expected, is: vector)
    }

    private func expect(_ message: AgentMessage, is vector: VectorValue) throws {
        let bytes = try #require(vector["hex"].bytes)
        #expect(try AgentMessage(decoding: bytes) == message)
        #expect(try message.encoded() == bytes)
        #expect(Digest.sha256(bytes) == vector["sha256"].bytes)
    }

    private func address(_ value: VectorValue) throws -> QueueAddress {
        QueueAddress(
            relay: try RelayAddress(parsing: try #require(value.string)),
            senderID: EntityID(Array(0x81...0x98)))
    }

    @Test func `every recorded value comes back`() throws {
        #expect(vectors["messages"].items.count == 13)
        for vector in vectors["messages"].items {
            let bytes = try #require(vector["hex"].bytes)
            #expect(try AgentMessage(decoding: bytes).encoded() == bytes)
        }
        #expect(vectors["envelopes"].items.count == 6)
        for vector in vectors["envelopes"].items {
            let bytes = try #require(vector["hex"].bytes)
            let envelope = try AgentEnvelope(decoding: bytes)
            #expect(envelope.agentVersion == 7)
            #expect(try envelope.encoded() == bytes)
        }
    }

    @Test func `information is read and written`() throws {
        let info = Array("info".utf8)
        try expect(.connectionInformation(info), is: message("AgentConnInfo"))
        try expect(.ratchetInformation(info), is: message("AgentRatchetInfo"))
        let reply = try message("AgentConnInfoReply")
        let queue = try QueueInfo(decoding: try #require(reply["args"]["queues"][0].bytes))
        #expect(queue.mode == .messaging && queue.version == 4)
        try expect(.connectionInformationReply(queues: [queue], information: info), is: reply)
    }

    @Test func `application messages and receipts are read and written`() throws {
        try expect(.hello, is: message("HELLO"))
        try expect(.message(Array("hello".utf8)), is: message("A_MSG"))
        let receipt = try message("A_RCVD")
        let hash = try #require(receipt["args"]["receipts"][0]["msg_hash"].bytes)
        try expect(.receipts([AMessage.Receipt(id: 5, hash: hash)]), is: receipt)
        try expect(.ratchetReady(lastReceivedID: 9), is: message("EREADY"))
    }

    @Test func `queue rotation is read and written`() throws {
        let quota = try message("A_QCONT")
        try expect(.continueSending(address(quota["args"]["address"][0])), is: quota)
        for index in 0..<2 {
            let add = try message("QADD", at: index)
            let recorded = try QueueURI(parsing: try #require(add["args"]["queue"].string))
            let replaced = add["args"]["replaces"][0]
            let new = AMessage.NewQueue(
                queue: recorded, replaced: replaced.isNull ? nil : try address(replaced))
            try expect(.addQueues([new]), is: add)
        }
        let key = try message("QKEY")
        let queueKey = AMessage.QueueKey(
            queue: try QueueInfo(decoding: try #require(key["args"]["queue_info"].bytes)),
            authenticationKey: try AuthenticationPublicKey(der: try #require(key["args"]["sender_key"].bytes)))
        try expect(.queueKeys([queueKey]), is: key)
        let use = try message("QUSE")
        try expect(.useQueues([.init(address: address(use["args"]["server"]), isPrimary: true)]), is: use)
        let test = try message("QTEST")
        try expect(.testQueues([address(test["args"]["server"])]), is: test)
    }

    @Test func `envelopes say what they carry`() throws {
        let envelopes = try vectors["envelopes"].items.map {
            try AgentEnvelope(decoding: try #require($0["hex"].bytes))
        }
        let recorded = Array(1...0x0F) + Array(0x10...0x14) as [UInt8]
        var kinds: [String] = []
        for envelope in envelopes {
            switch envelope.content {
            case .confirmation(let parameters, let encrypted):
                #expect(encrypted == recorded)
                kinds.append("C\(parameters.map { String($0.version) } ?? "-")")
            case .message(let encrypted):
                #expect(encrypted == recorded)
                kinds.append("M")
            case .invitation(let link, let information):
                #expect(link.ratchetOffer != nil)
                #expect(information == Array("conn info".utf8))
                kinds.append("I")
            case .ratchetKey(let parameters, let information):
                #expect(parameters.version == 2)
                #expect(information == Array("info".utf8))
                kinds.append("R")
            }
        }
        #expect(kinds == ["C2", "C3", "C-", "M", "I", "R"])
    }

    @Test func `confirmations are padded as information`() {
        #expect(AgentMessage.connectionInformation([]).paddedCount == 14832)
        #expect(AgentMessage.connectionInformationReply(queues: [], information: []).paddedCount == 14832)
        #expect(AgentMessage.message(id: 1, previousHash: [], .hello).paddedCount == 15840)
        #expect(PaddedCounts.maximumBody == 15795)
    }

    @Test func `truncated and changed bytes never trap`() throws {
        var random = SeededGenerator(seed: 11)
        let recorded = vectors["messages"].items.compactMap { $0["hex"].bytes }
        let envelopes = vectors["envelopes"].items.compactMap { $0["hex"].bytes }
        for bytes in recorded + envelopes {
            for count in 0..<bytes.count {
                _ = try? AgentMessage(decoding: Array(bytes[..<count]))
                _ = try? AgentEnvelope(decoding: Array(bytes[..<count]))
            }
            for _ in 0..<100 {
                var changed = bytes
                changed[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                if let message = try? AgentMessage(decoding: changed) {
                    let encoded = try message.encoded()
                    #expect(try AgentMessage(decoding: encoded).encoded() == encoded)
                }
                if let envelope = try? AgentEnvelope(decoding: changed) {
                    let encoded = try envelope.encoded()
                    #expect(try AgentEnvelope(decoding: encoded).encoded() == encoded)
                }
            }
        }
        for _ in 0..<500 {
            let bytes = random.bytes(Int.random(in: 0...80, using: &random))
            _ = try? AgentMessage(decoding: bytes)
            _ = try? AgentEnvelope(decoding: bytes)
        }
    }

    @Test func `letters nobody knows are refused`() {
        #expect(throws: AgentDecodingError.unknownTag) { try AgentMessage(decoding: Array("Z".utf8)) }
        #expect(throws: AgentDecodingError.unknownTag) { try AgentEnvelope(decoding: [0, 7] + Array("Z".utf8)) }
        let head = Array("M".utf8) + [UInt8](repeating: 0, count: 9)
        for tag in ["Z", "QZ"] {
            #expect(throws: AgentDecodingError.unknownTag) { try AgentMessage(decoding: head + Array(tag.utf8)) }
        }
        #expect(throws: AgentDecodingError.trailingBytes) { try AgentMessage(decoding: head + Array("Hx".utf8)) }
        #expect(throws: AgentDecodingError.malformed) { try AgentMessage(decoding: head + Array("V".utf8) + [0]) }
    }
}
