/// Which of the other programs' players stand still because of a call, and which of them may go on after it.
///
/// Pure. Players are known by the unique names of their connections, such as `:1.42`: a name like
/// `org.mpris.MediaPlayer2.mpv` may belong to another program by the end of the call.
struct PlayersMachine: Equatable, Sendable {
    /// What a player says of itself (MPRIS, `PlaybackStatus`).
    enum Status: String, Sendable {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    /// A player as it was found.
    struct Player: Equatable, Sendable {
        var owner: String
        var status: Status
        /// Whether it can be paused at all.
        var canPause: Bool
    }

    private enum Held: Equatable, Sendable {
        /// It was asked to pause.
        case asked
        /// It has said that it stands still.
        case paused
    }

    private var held: [String: Held] = [:]

    /// Who may go on as things are.
    var waiting: [String] { held.keys.sorted() }

    /// A call begins; returns whom to pause.
    mutating func begin(_ players: [Player]) -> [String] {
        var owners: [String] = []
        for player in players where player.status == .playing && player.canPause && held[player.owner] == nil {
            held[player.owner] = .asked
            owners.append(player.owner)
        }
        return owners
    }

    /// A player says what it does now; nil is something that can't be understood.
    mutating func changed(_ owner: String, to status: Status?) {
        guard let state = held[owner] else { return }
        switch (state, status) {
        case (_, .paused): held[owner] = .paused
        // Still from before it was asked.
        case (.asked, .playing): break
        // The person has used it meanwhile: it is theirs again.
        case (.paused, .playing), (_, .stopped), (_, nil): held[owner] = nil
        }
    }

    /// The call is over; returns who may go on, if it still stands still.
    mutating func end() -> [String] {
        defer { held = [:] }
        return waiting
    }
}
