import SMP

/// What an agent keeps in memory of its note at a relay.
struct NoteKeeping {
    /// The queue that holds it; nil before there is one.
    var queue: ReceiveQueueName?
    /// When it is to be renewed.
    var schedule: NoteSchedule
    /// Waits for that time.
    var timer: Task<Void, Never>?
    /// Asks relays, one thing at a time; the number tells whether it is still this one.
    var job: Task<Void, Never>?
    var jobNumber = 0
    /// Whether a note is due as soon as nothing else is asked.
    var isDue = false
    /// Whether it is to be at another relay.
    var mustMove = false
    /// What was read during the present job and is gone at the relay.
    var readSoFar: [[UInt8]] = []
    /// Whether the store was closed when it was opened.
    var wasClosed = false
    /// Whether a copy was met that lives at the same time.
    var hasMetCopy = false

    init(pace: NoteSchedule.Pace) { schedule = NoteSchedule(pace: pace) }

    /// Whether ratchets have moved since the last note that the relay is known to have.
    var isBehind: Bool { schedule.hasChanges || isDue || job != nil }

    /// Ends what runs in the background.
    func cancel() {
        timer?.cancel()
        job?.cancel()
    }
}

extension BookmarkRecord {
    /// The queue as its relay names it.
    var queue: ReceiveQueueName {
        get throws { ReceiveQueueName(relay: try RelayAddress(parsing: relay), recipientID: EntityID(recipientID)) }
    }
}
