import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

/// The resolver against a responder of the test's own, on the loopback link.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MulticastResolverTests {
    private let name = LocalName(parsing: UUID().uuidString + ".local")

    private func look(_ names: [LocalName], _ found: Found) throws -> StopFlag {
        let stop = try StopFlag()
        MulticastResolver.look(for: names, isLocal: true, until: stop) { found.add($0, $1) }
        return stop
    }

    final class Found: Sendable {
        private let list = Mutex<[String]>([])
        var all: [String] { list.withLock { $0 } }
        func add(_ name: LocalName, _ address: String) { list.withLock { $0.append("\(name.text) \(address)") } }
    }

    @Test func `a name's address is asked of the link, and the first answer is taken`() async throws {
        try await expectFirstAnswer(family: AF_INET, interface: if_nametoindex("lo"))
    }

    /// Loopback carries no multicast of IPv6.
    @Test(.onlyWhere(ipv6Link != nil, "No link of this machine carries multicast over IPv6."))
    func `over IPv6 a name's address is asked of the link, and the first answer is taken`() async throws {
        try await expectFirstAnswer(family: AF_INET6, interface: try #require(Self.ipv6Link))
    }

    private static let ipv6Link = LocalNetwork.interfaces.first {
        $0.family == AF_INET6 && $0.canMulticast && !$0.isLoopback
    }?.index

    private func expectFirstAnswer(family: Int32, interface: UInt32) async throws {
        let name = try #require(name)
        let responder = try MulticastResponder(family: family, interface: interface) { _ in
            [DNSText.answer(name.text, [10, 1, 2, 3]), DNSText.answer(name.text, [10, 9, 9, 9])]
        }
        let found = Found()
        let stop = try look([name], found)
        try await waitUntil("an answer has come") { !found.all.isEmpty }
        #expect(found.all == [name.text + " 10.1.2.3"])
        #expect(responder.questions.allSatisfy { $0 == MulticastMessage.question(name) })
        stop.raise()
        responder.stop()
    }

    @Test func `a lost question is asked again`() async throws {
        let name = try #require(name)
        let count = Mutex(0)
        let responder = try MulticastResponder(family: AF_INET) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? [] : [DNSText.answer(name.text, [0xFD] + [UInt8](repeating: 0, count: 14) + [5])]
        }
        let found = Found()
        let stop = try look([name], found)
        try await waitUntil("an answer has come") { !found.all.isEmpty }
        #expect(found.all == [name.text + " fd00::5"])
        stop.raise()
        responder.stop()
    }

    @Test func `answers for other names and what is no answer are passed over`() async throws {
        let name = try #require(name)
        let responder = try MulticastResponder(family: AF_INET) { question in
            [
                DNSText.answer("printer.local", [10, 0, 0, 1]),
                DNSText.answer("9b36eaac-bb2e-49bb-bb78-21c41c499900.local", [10, 0, 0, 2]),
                [1, 2, 3], question, DNSText.answer(name.text, [10, 0, 0, 3]),
            ]
        }
        let found = Found()
        let stop = try look([name], found)
        try await waitUntil("an answer has come") { !found.all.isEmpty }
        #expect(found.all == [name.text + " 10.0.0.3"])
        stop.raise()
        responder.stop()
    }
}

/// Answers multicast DNS on one interface.
final class MulticastResponder: Sendable {
    private let flag: StopFlag
    private let heard = Mutex<[[UInt8]]>([])

    /// `answer` says what is sent for a question that comes from this machine's resolver.
    init(
        family: Int32, interface: UInt32 = if_nametoindex("lo"), answer: @escaping @Sendable ([UInt8]) -> [[UInt8]]
    ) throws {
        flag = try StopFlag()
        guard let socket = MulticastSocket(family: family, interfaces: [interface]) else {
            throw Overdue("Multicast is not possible on this interface.")
        }
        let flag = flag
        DetachedThread.start { [self] in
            var buffer = [UInt8](repeating: 0, count: 9_000)
            // What it sends comes back; an answer to that would be the first of endless ones.
            var own: [[UInt8]] = []
            while true {
                var waiting = [
                    pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: flag.descriptor, events: Int16(POLLIN), revents: 0),
                ]
                _ = poll(&waiting, 2, -1)
                if waiting[1].revents != 0 { return }
                while let bytes = socket.receive(into: &buffer) {
                    if let index = own.firstIndex(of: bytes) {
                        own.remove(at: index)
                        continue
                    }
                    // Questions only; other programs' are none of ours.
                    guard bytes.count > 12, bytes[2] & 0x80 == 0, bytes[5] == 2 else { continue }
                    heard.withLock { $0.append(bytes) }
                    for message in answer(bytes) {
                        own.append(message)
                        socket.send(message)
                    }
                }
            }
        }
    }

    /// The questions so far.
    var questions: [[UInt8]] { heard.withLock { $0 } }

    func stop() { flag.raise() }
}
