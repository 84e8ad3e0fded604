import ArgumentParser

/// What a hostile client does to a relay.
enum Attack: String, CaseIterable, ExpressibleByArgument, Sendable {
    case nothing, commands, messages, unread, silent, handshakes, passwords, probing, disk, expiry, mixed

    /// One line that says what is sent.
    var summary: String {
        switch self {
        case .nothing: "no attack: what the machine itself costs the client"
        case .commands: "4 connections, 0.44 Mbit/s of QUE against as many Ed448 keys as RKEY takes"
        case .messages: "16 kB messages into own queues as fast as they go, 320 MB at most"
        case .unread: "60 sessions ask for 1,000 messages each and read none"
        case .silent: "2,000 sockets that say nothing"
        case .handshakes: "ClientHellos from 4 addresses, 8 at a time each, whose senders leave once they are answered"
        case .passwords: "NEW with wrong passwords over 32 connections from 4 addresses, as fast as they are answered"
        case .probing: "a proxy is asked for open and closed ports of its own machine in turns, as fast as it answers"
        case .disk: "16 kB messages until a disk of 56 MiB is full, and as many more as it takes"
        case .expiry: "small messages as fast as they go, each of which is too old after 2 s"
        case .mixed: "10 Mbit/s of QUE, messages and silent sockets together"
        }
    }

    /// The addresses it comes from, all of this machine.
    static let addresses = (2...5).map { "127.0.0.\($0)" }

    /// What the relay has to be told for it.
    ///
    /// - Parameter passwordFile: asked of whoever makes a queue.
    func relayArguments(passwordFile: String) -> [String] {
        switch self {
        case .nothing, .commands, .messages, .unread, .silent, .handshakes, .mixed: []
        case .passwords: ["--create-password", passwordFile]
        case .probing: ["--proxy"]
        case .disk: ["--memory", "64"]
        case .expiry: ["--message-ttl", "2", "--expiry-interval", "1"]
        }
    }
}
