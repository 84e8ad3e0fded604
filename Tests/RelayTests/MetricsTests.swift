import Cryptography
import Foundation
import RelayFixtures
import SMP
import SMPTransport
import Testing

@testable import Relay
@testable import RelayRules
@testable import SMPSession

/// Figures for Prometheus.
@Suite(.timeLimit(.minutes(5))) struct MetricsTests {
    @Test(
        arguments: [
            ("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", .page(withBody: true)),
            ("GET /metrics HTTP/1.0\r\n\r\n", .page(withBody: true)),
            ("GET /metrics?a=b HTTP/1.1\n\n", .page(withBody: true)),
            ("HEAD /metrics HTTP/1.1\r\n\r\n", .page(withBody: false)),
            ("POST /metrics HTTP/1.1\r\nContent-Length: 9\r\n\r\n", .refused(405, "Method Not Allowed")),
            ("GET / HTTP/1.1\r\n\r\n", .refused(404, "Not Found")),
            ("GET /metrics/../../etc/passwd HTTP/1.1\r\n\r\n", .refused(404, "Not Found")),
            ("GET /metrics\r\n\r\n", .refused(400, "Bad Request")),
            ("GET /metrics HTTP/2\r\n\r\n", .refused(400, "Bad Request")),
            ("\r\n\r\n", .refused(400, "Bad Request")),
            ("GET /metrics HTTP/1.1\r\nHost: x\r\n", .incomplete), ("", .incomplete),
        ] as [(String, MetricsRequest.Outcome)])
    func `only one request is known`(text: String, outcome: MetricsRequest.Outcome) {
        var request = MetricsRequest()
        #expect(request.receive(text.utf8) == outcome)
    }

    @Test func `a request may come in pieces`() {
        var request = MetricsRequest()
        let text = Array("GET /metrics HTTP/1.1\r\n\r\n".utf8)
        for byte in text.dropLast() { #expect(request.receive([byte]) == .incomplete) }
        #expect(request.receive([text[text.count - 1]]) == .page(withBody: true))
    }

    @Test func `a head without end is refused`() {
        var request = MetricsRequest()
        let line = Array("X-Padding: yes\r\n".utf8)
        var outcome = MetricsRequest.Outcome.incomplete
        var taken = 0
        while outcome == .incomplete, taken < 1 << 20 {
            outcome = request.receive(line)
            taken += line.count
        }
        #expect(outcome == .refused(431, "Request Header Fields Too Large"))
        #expect(taken <= MetricsRequest.maximumHead + line.count)
    }

    @Test func `the page has the format of prometheus`() {
        var page = MetricsText()
        page.add("a_total", .counter, "Things.", 3)
        page.add("b", .gauge, "Others.", [.init(labels: [("l", "x\"\\\n")], value: 1.5)])
        page.add("c", .gauge, "None.", [])
        #expect(
            page.text == """
                # HELP a_total Things.
                # TYPE a_total counter
                a_total 3
                # HELP b Others.
                # TYPE b gauge
                b{l="x\\"\\\\\\n"} 1.5

                """)
    }

    @Test func `the store knows how many messages it has`() throws {
        let fixture = CoreFixture(quota: 2)
        let session = fixture.session(1)
        let queue = try session.makeQueue(subscribes: false)
        let other = try session.makeQueue(subscribes: false)
        for queue in [queue, queue, queue, queue, other] { try queue.send(in: session, secured: false) }
        func counted() -> Bool {
            fixture.core.withStore { $0.messageCount == $0.queues.values.reduce(0) { $0 + $1.messages.count } }
        }
        #expect(fixture.core.withStore { $0.messageCount } == 4)
        guard case .message(let id, _) = try queue.ask(.get, in: session) else {
            Issue.record("no message")
            return
        }
        _ = try queue.ask(.acknowledge(id), in: session)
        #expect(counted())
        _ = fixture.core.withStore { $0.expire(before: .max) }
        #expect(counted())
        _ = try queue.ask(.delete, in: session)
        #expect(counted())
        #expect(fixture.core.withStore { $0.messageCount } == 0)
    }

    @Test func `commands and errors are counted`() throws {
        let fixture = CoreFixture()
        let session = fixture.session(1)
        let queue = try session.makeQueue()
        try queue.send(in: session, secured: false)
        _ = try session.ask(.subscribe, .random(), queue.recipientKey)
        _ = try session.ask(.getLink)
        let counts = fixture.core.counters.current
        #expect(counts.commands == [.new: 1, .send: 1])
        #expect(counts.refusals == ["AUTH": 1, "CMD NO_ENTITY": 1])
        #expect(counts.received == 1)
        #expect(counts.delivered == 1)
        #expect(counts.blocks == 4)
    }

    @Test func `a scraper gets the page over HTTP`() async throws {
        try await withRelay(change: .init { $0.metrics = RelayEndpoint(host: "127.0.0.1", port: 0) }) {
            relay, address in
            let connection = try await RelayConnection.connect(to: address)
            _ = try await TestQueue(on: connection)
            let port = try #require(relay.metricsPort)
            let page = try await HTTPExchange.run(port: port, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
            for line in [
                "parley_relay_queues 1", "parley_relay_connections 1", "parley_relay_sessions{version=\"17\"} 1",
                "parley_relay_commands_total{command=\"NEW\"} 1", "parley_relay_storage_failing 0",
            ] {
                #expect(page.contains("\n\(line)\n"))
            }
            #expect(!page.contains(address.hosts[0] + ":"))
            let body = try #require(page.components(separatedBy: "\r\n\r\n").last)
            #expect(page.contains("Content-Length: \(body.utf8.count)\r\n"))
        }
    }

    @Test func `rubbish and idle connections do no harm`() async throws {
        try await withRelay(change: .init { $0.metrics = RelayEndpoint(host: "127.0.0.1", port: 0) }) {
            relay, address in
            let port = try #require(relay.metricsPort)
            let long = String(repeating: "A", count: 20_000)
            #expect(try await HTTPExchange.run(port: port, long).hasPrefix("HTTP/1.1 431 "))
            #expect(try await HTTPExchange.run(port: port, "\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
            // More than may be open at once; the surplus is closed.
            let silent = try (0..<40).map { _ in try HTTPExchange.connect(port: port) }
            let connection = try await RelayConnection.connect(to: address)
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
            for descriptor in silent { close(descriptor) }
        }
    }
}

/// Plain sockets, for requests no client would make.
enum HTTPExchange {
    struct Failure: Error { let code: Int32 }

    static func connect(port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(code: errno) }
        return descriptor
    }

    /// Sends a text and reads until the server ends.
    static func run(port: UInt16, _ text: String) async throws -> String {
        try await Task.detached {
            let descriptor = try connect(port: port)
            defer { close(descriptor) }
            _ = send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
            var answer: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = recv(descriptor, &chunk, chunk.count, 0)
                guard count > 0 else { break }
                answer += chunk.prefix(count)
            }
            return String(decoding: answer, as: UTF8.self)
        }.value
    }
}
