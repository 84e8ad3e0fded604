import Cryptography
import SMP
import TestSupport
import Testing

@testable import AgentProtocol

/// Whole runs of two real agents, without post-quantum keys.
@Suite(.timeLimit(.minutes(5))) struct RecordedFlowTests {
    static let flows: [VectorValue] = {
        let all = (try? Vectors.group("recorded_agent_flows").items) ?? []
        return all.filter { $0["pq"].bool == false }
    }()

    private func flow(_ name: String) throws -> RecordedFlow {
        try RecordedFlow(try #require(Self.flows.first { $0["flow"].string == name }))
    }

    /// What was delivered to whom, in words.
    private func story(_ flow: RecordedFlow) -> [String] {
        flow.deliveries.map { delivery in
            let key = delivery.clientMessage.authenticationKey == nil ? "" : " with key"
            let flag = delivery.notify ? "" : " quietly"
            return "\(delivery.recipient): \(describe(delivery))\(key)\(flag)"
        }
    }

    private func describe(_ delivery: RecordedFlow.Delivery) -> String {
        switch delivery.message {
        case nil: "request"
        case .connectionInformation(let information): "information \(String(decoding: information, as: UTF8.self))"
        case .connectionInformationReply(let queues, let information):
            "reply \(queues.map(\.version)) \(String(decoding: information, as: UTF8.self))"
        case .ratchetInformation: "ratchet information"
        case .message(let id, _, let content):
            "\(id) \(describe(content)) \(delivery.integrity == .ok ? "ok" : "\(delivery.integrity as Any)")"
        }
    }

    private func describe(_ content: AMessage) -> String {
        switch content {
        case .hello: "hello"
        case .message(let body): String(decoding: body.prefix(40), as: UTF8.self)
        case .receipts(let receipts): "receipts \(receipts.map(\.id))"
        default: "other"
        }
    }

    private func expectLastStates(_ flow: RecordedFlow) throws {
        for name in ["alice", "bob"] {
            let ratchet = try #require(flow.ratchet(of: name))
            let recorded = try Ratchet(recorded: flow.lastState(of: name))
            // What was sent after the last received message is not part of the run, so the receiving half is compared.
            #expect(ratchet.receiving == recorded.receiving)
            #expect(ratchet.receivedCount == recorded.receivedCount)
            #expect(ratchet.rootKey == recorded.rootKey)
            #expect(ratchet.ownKey == recorded.ownKey)
            #expect(ratchet.nextReceivingHeaderKey == recorded.nextReceivingHeaderKey)
            #expect(ratchet.nextSendingHeaderKey == recorded.nextSendingHeaderKey)
            #expect(ratchet.sending?.headerKey == recorded.sending?.headerKey)
            #expect(ratchet.associatedData == recorded.associatedData)
            #expect(ratchet.skipped.count == 0)
        }
        #expect(flow.ratchet(of: "alice")?.securityCode == flow.ratchet(of: "bob")?.securityCode)
    }

    @Test func `three runs have no post quantum keys`() {
        #expect(Self.flows.count == 3)
    }

    @Test func `fast handshake and messages open`() throws {
        let flow = try flow("current versions, no PQ")
        #expect(
            story(flow) == [
                "alice: reply [4] bob info",
                "bob: information alice info",
                "bob: 2 hello from alice ok quietly",
                "alice: 2 receipts [2] ok quietly",
                "alice: 3 hello from bob ok quietly",
                "bob: 3 second from alice ok quietly",
            ])
        try expectLastStates(flow)
    }

    @Test func `classic handshake and messages open`() throws {
        let flow = try flow("SMP v8, agent 2-4, e2e 2, client 1-2, no PQ")
        #expect(
            story(flow) == [
                "alice: reply [2] bob info with key",
                "bob: information alice info with key",
                "alice: 2 hello ok",
                "bob: 2 hello ok",
                "bob: 3 hello from alice ok quietly",
                "alice: 3 receipts [3] ok quietly",
                "alice: 4 hello from bob ok quietly",
                "bob: 4 second from alice ok quietly",
            ])
        try expectLastStates(flow)
    }

    @Test func `contact request and messages open`() throws {
        let flow = try flow("contact address, current versions, no PQ")
        #expect(
            story(flow) == [
                "alice: request",
                "bob: reply [4] alice info",
                "alice: information bob info 2",
                "bob: 2 hello from alice ok quietly",
                "alice: 2 receipts [2] ok quietly",
                "alice: 3 hello from bob ok quietly",
                "bob: 3 second from alice ok quietly",
            ])
        try expectLastStates(flow)
    }

    @Test func `receipts name the hash of what was received`() throws {
        for vector in Self.flows {
            let flow = try RecordedFlow(vector)
            let received = try flow.deliveries.compactMap { try $0.message.map { Digest.sha256(try $0.encoded()) } }
            var seen = 0
            for delivery in flow.deliveries {
                guard case .message(_, _, .receipts(let receipts)) = delivery.message else { continue }
                for receipt in receipts { #expect(received.contains(receipt.hash)) }
                seen += receipts.count
            }
            #expect(seen == 1)
        }
    }

    @Test func `request to a contact address carries an invitation`() throws {
        let flow = try flow("contact address, current versions, no PQ")
        guard case .invitation(let link, let information) = try #require(flow.deliveries.first).envelope.content else {
            Issue.record("not a request")
            return
        }
        #expect(link.ratchetOffer != nil)
        #expect(link.queue.mode == .messaging)
        #expect(information.isEmpty == false)
    }
}
