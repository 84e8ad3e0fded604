/// Why a call server is of no use, or did not do what it was asked.
public enum SFUError: Error, Hashable, Sendable {
    // MARK: The address

    /// It is no address of a call server (`wss://…`).
    case invalidAddress
    /// It goes without encryption (`ws`) to something other than this machine. No name was looked up.
    case unsafeAddress

    // MARK: The way

    /// It can't be reached; why, in the system's words.
    case unreachable(reason: String)
    /// Its certificate was refused; why, in OpenSSL's words.
    case certificate(reason: String)
    /// The certificates of the authorities can't be read.
    case authorities
    /// TLS can't be set up on this side; why, in OpenSSL's words.
    case local(reason: String)
    /// It did not answer in time.
    case timedOut
    /// The connection, or what the server kept for it, was lost before the answer.
    case lost
    /// It was closed from this side.
    case closed

    // MARK: The server

    /// Who answers is no Janus.
    case notJanus
    /// It is a Janus without rooms for video calls.
    case noVideoRoom
    /// It wants a token that it knows (403).
    case unauthorized
    /// It makes rooms only for who has its key.
    case mayNotMakeRooms
    /// What it says can't be understood, or is more than can be taken.
    case malformed

    // MARK: The room

    /// The PIN is wrong or missing (433, 429).
    case wrongPin
    /// The room's secret is wrong or missing (433, 429).
    case wrongSecret
    /// The room has as many who send as it may have (432).
    case roomFull
    /// There is no such room (426).
    case noSuchRoom
    /// There is such a room already (427).
    case roomExists
    /// Somebody in the room has that number already (436).
    case feedTaken
    /// Nobody in the room sends by that number (428).
    case noSuchFeed
    /// The room takes only media that are said to be encrypted from end to end (433).
    case encryptionRequired
    /// It can't do anything with a session description (437, 465 and their like).
    case invalidDescription
    /// Something else, by Janus's number.
    case refused(code: Int)

    // MARK: The own side

    /// Nothing can be sent, received or left by that number: this side has not joined or subscribed by it.
    case notJoined
    /// This side has joined or subscribed by that number already, or is in another room.
    case alreadyJoined
    /// More was asked for than can wait, or be had, at once.
    case tooMany
}

extension SFUError {
    /// Whether trying again is of no use to who was connected before. What stands in front of a server that starts anew, or in a network
    /// that wants to be paid first, may well be no Janus and have another certificate for a while.
    var isFinal: Bool {
        switch self {
        case .authorities, .local, .noVideoRoom, .unauthorized, .invalidAddress, .unsafeAddress, .malformed, .closed:
            true
        default: false
        }
    }
}
