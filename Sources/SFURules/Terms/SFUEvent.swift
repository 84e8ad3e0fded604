/// A WebRTC connection to the server.
public enum SFUPath: Sendable, Hashable {
    /// The one that an own feed goes by.
    case own(SFUNumber)
    /// The one that another's feed comes by.
    case feed(SFUNumber)
}

/// What becomes of a room, as its server tells it.
public enum SFUEvent: Sendable, Equatable {
    /// Somebody sends.
    case feedCame(SFUFeed)
    /// Somebody sends no more.
    case feedWent(SFUNumber)
    /// The server has completed ICE and DTLS.
    case connected(SFUPath)
    /// Media of a kind come in at the server, or come no more.
    case media(SFUPath, isAudio: Bool, isReceiving: Bool)
    /// The server counts losses. `isUplink`: of what it was sent.
    case slowLink(SFUPath, isUplink: Bool)
    /// The server has closed a connection. (the server's reason)
    case hungUp(SFUPath, reason: String)
    /// Candidates of the server's. `isComplete`: no more come.
    case candidates(SFUPath, [SFUCandidate], isComplete: Bool)
    /// The connection to the server was lost; it is tried to have it again. Media may go on.
    case lost(SFUError)
    /// There is a connection again.
    case restored(SFURestoration)
    /// This side was put out of the room, or is in it no more.
    case removed
    /// The room is no more.
    case roomDestroyed
    /// There will be no connection any more, and no other event.
    case failed(SFUError)
}

/// What a server still knew when there was a connection again.
public enum SFURestoration: Sendable, Hashable {
    /// Everything: feeds that came or went meanwhile follow as events.
    case claimed
    /// Nothing: one has to join again, with another number, and subscribe again.
    case anew
}
