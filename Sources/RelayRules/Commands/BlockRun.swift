import SMP

/// A block while its commands are carried out, which may take several turns.
package struct BlockRun: Sendable {
    struct Answer: Sendable {
        let correlationID: CorrelationID
        let entity: EntityID
        let reply: Reply
    }

    let session: SessionContext
    /// Answers to what was not authorised, which travel in a block of their own.
    var refused: [Answer] = []
    var executed: [Answer] = []
    var events: [Push] = []
    var output = RelayCore.Output()
    private let commands: [(IncomingCommand, KeyLookup)]
    private var index = 0

    init(session: SessionContext, commands: [(IncomingCommand, KeyLookup)]) {
        self.session = session
        self.commands = commands
    }

    /// Whether a command brings a password along that was not looked at yet.
    package var bringsPassword: Bool {
        commands[index...].contains { item, _ in
            if case .command(_, let command) = item { command.givenPassword != nil } else { false }
        }
    }

    /// Whether what is left takes about as little as reading the block did: one ordinary command, whose keys are not of Ed448.
    package var isSmall: Bool { commands[index...].reduce(0) { $0 + RelayCore.cost($1.0, $1.1) } <= 160 }

    /// Whether all commands were carried out.
    var isOver: Bool { index == commands.count }

    /// Bytes of bodies that are to be delivered.
    package var bodyBytes: Int {
        executed.reduce(0) { $0 + $1.reply.bodyBytes } + events.reduce(0) { $0 + $1.reply.bodyBytes }
    }

    /// Messages that are to be delivered and whose bodies are on disk only.
    package var missingBodies: [Int64] {
        executed.compactMap(\.reply.missingBody) + events.compactMap(\.reply.missingBody)
    }

    /// Takes bodies from the disk. A message that is not there any more was acknowledged by another session meanwhile.
    package mutating func fill(_ bodies: Result<[Int64: [UInt8]], RelayStorageError>) {
        executed = executed.map { answer in
            Answer(
                correlationID: answer.correlationID, entity: answer.entity,
                reply: answer.reply.filled(from: bodies) ?? .ok)
        }
        events = events.compactMap { event in
            event.reply.filled(from: bodies).map { Push(session: event.session, entity: event.entity, reply: $0) }
        }
    }

    /// The command that is to be carried out next, with the keys it had before the block.
    mutating func next() -> (IncomingCommand, KeyLookup)? {
        guard !isOver else { return nil }
        defer { index += 1 }
        return commands[index]
    }
}

extension Reply {
    /// The same with its body; nil if its message is gone.
    fileprivate func filled(from bodies: Result<[Int64: [UInt8]], RelayStorageError>) -> Reply? {
        guard case .delivery(let message, let secret) = self, !message.isInMemory else { return self }
        guard case .success(let bodies) = bodies else { return .refusal(.store("unreadable")) }
        return bodies[message.number].map { .delivery(message.with($0), secret: secret) }
    }
}
