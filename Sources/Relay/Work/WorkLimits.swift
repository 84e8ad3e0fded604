/// How much processor time clients may have, of one processor. Whoever used up what was saved waits until the
/// surplus is paid off; nothing is refused for it. This machine's own clients (127.0.0.1 and ::1) take their turns but owe
/// nothing.
public struct WorkLimits: Sendable, Equatable {
    /// What a session may use at once, and what it regains a second, in seconds.
    var sessionCapacity = Duration.seconds(1)
    var sessionRate = 0.1
    /// The same of all sessions from one address; an IPv6 network of 64 bits is one address.
    var addressCapacity = Duration.seconds(1)
    var addressRate = 0.1
    /// Commands of one block are carried out for about so long, in microseconds, before another session has its turn.
    public var slice = 2_000
    /// Blocks of all sessions that wait for their turn, 16 KiB each; beyond that each session may have one.
    var waitingBlocks = 4_096

    /// The usual limits.
    public init() {}
}
