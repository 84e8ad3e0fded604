import SMP

/// A block while its commands are carried out, which may take several turns.
struct BlockRun: Sendable {
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

    /// Whether all commands were carried out.
    var isOver: Bool { index == commands.count }

    /// The command that is to be carried out next, with the keys it had before the block.
    mutating func next() -> (IncomingCommand, KeyLookup)? {
        guard !isOver else { return nil }
        defer { index += 1 }
        return commands[index]
    }
}
