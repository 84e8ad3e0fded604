import ArgumentParser

/// What a hostile client does to a relay.
enum Attack: String, CaseIterable, ExpressibleByArgument, Sendable {
    case commands, messages, unread, silent, mixed

    /// One line that says what is sent.
    var summary: String {
        switch self {
        case .commands: "4 connections, 0.44 Mbit/s of QUE against as many Ed448 keys as RKEY takes"
        case .messages: "16 kB messages into own queues as fast as they go, 320 MB at most"
        case .unread: "60 sessions ask for 1,000 messages each and read none"
        case .silent: "2,000 sockets that say nothing"
        case .mixed: "10 Mbit/s of QUE, messages and silent sockets together"
        }
    }

    /// The addresses it comes from, all of this machine.
    static let addresses = (2...5).map { "127.0.0.\($0)" }
}
