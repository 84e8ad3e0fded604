import BaseKit
import Glibc
import MediaRules

/// Looks up names of the own link by multicast DNS: asks three times, takes the first answer, ends after five seconds.
///
/// The system's resolver is not used: it knows these names only where avahi or systemd-resolved is set up for them, and it
/// could carry a question to a DNS server.
enum MulticastResolver {
    /// When the question is sent (RFC 6762 §5.2: at least a second apart, then longer).
    static let questions: [Duration] = [.zero, .seconds(1), .seconds(3)]
    /// When it is given up.
    static let end: Duration = .seconds(5)

    /// Looks names up on a thread of its own; `found` gets each with its address once, if it has one. `isLocal`: whether this
    /// machine's loopback interface is a link too. Ends early when the flag is raised.
    static func look(
        for names: [LocalName], isLocal: Bool, until stop: StopFlag,
        found: @escaping @Sendable (LocalName, String) -> Void
    ) {
        guard !names.isEmpty else { return }
        DetachedThread.start {
            var search = Search(names)
            search.run(isLocal: isLocal, until: stop, found: found)
        }
    }

    private struct Search {
        private var open: Set<LocalName>
        private let startedAt = Instant.now
        private var asked = 0
        private var buffer = [UInt8](repeating: 0, count: MulticastMessage.maximumLength + 1)

        init(_ names: [LocalName]) { open = Set(names) }

        mutating func run(isLocal: Bool, until stop: StopFlag, found: (LocalName, String) -> Void) {
            let links = LocalNetwork.interfaces.filter { isLocal && $0.isLoopback || !$0.isLoopback && $0.canMulticast }
            let sockets = [AF_INET, AF_INET6].compactMap { family in
                MulticastSocket(
                    family: family, interfaces: Set(links.filter { $0.family == family }.map(\.index)).sorted())
            }
            while !open.isEmpty, !sockets.isEmpty {
                let age = Instant.now - startedAt
                guard age < MulticastResolver.end else { return }
                if asked < MulticastResolver.questions.count, age >= MulticastResolver.questions[asked] {
                    asked += 1
                    for name in open { for socket in sockets { socket.send(MulticastMessage.question(name)) } }
                }
                let next =
                    asked < MulticastResolver.questions.count
                    ? MulticastResolver.questions[asked] : MulticastResolver.end
                var waiting = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
                waiting.append(pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0))
                _ = poll(&waiting, nfds_t(waiting.count), (next - age).forPoll)
                if waiting.last?.revents != 0 { return }
                for socket in sockets { receive(socket, found) }
            }
        }

        /// Reads what has come; not more at once than keeps the questions in time.
        private mutating func receive(_ socket: MulticastSocket, _ found: (LocalName, String) -> Void) {
            for _ in 0..<64 {
                guard let bytes = socket.receive(into: &buffer) else { return }
                guard let message = try? MulticastMessage(decoding: bytes) else { continue }
                for answer in message.answers {
                    guard let name = LocalName(parsing: answer.name), open.contains(name),
                        let address = Self.text(answer.address)
                    else { continue }
                    open.remove(name)
                    found(name, address)
                }
            }
        }

        private static func text(_ address: [UInt8]) -> String? {
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            let family = address.count == 4 ? AF_INET : AF_INET6
            guard inet_ntop(family, address, &text, socklen_t(text.count)) != nil else { return nil }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
