import BaseKit
import Cryptography
import Signaling

/// What all parts of a group call build on: how far it has come, who is in, how each is reached, what waits for a receipt, the clocks,
/// and what is to be done after the input at hand.
struct GroupContext: Sendable {
    let callID: CallID
    /// The most that may be in, and the same without a call server.
    private(set) var capacity: Int
    let baseCapacity: Int
    var progress: GroupProgress
    var roster: Roster
    /// Whether others go on with it, now that it is over here.
    var goesOn = false
    var lines = GroupLines()
    /// The moment of the input at hand.
    private(set) var now: Instant
    private(set) var effects: [GroupCallEffect] = []
    private(set) var rejections = RejectionCounts()
    private var outbox = GroupOutbox()
    private var clocks = GroupClocks()
    private let random: @Sendable (Int) -> SecretBytes

    init(
        _ callID: CallID, _ roster: Roster, _ progress: GroupProgress, capacity: Int, at now: Instant,
        random: @escaping @Sendable (Int) -> SecretBytes
    ) {
        self.callID = callID
        self.roster = roster
        self.progress = progress
        (self.capacity, baseCapacity) = (capacity, capacity)
        self.now = now
        self.random = random
    }

    var own: MemberNumber { roster.own }
    var stage: GroupCallStage { progress.stage }
    var hasConsent: Bool { stage.hasLocalConsent }

    /// That many random bytes.
    func random(_ count: Int) -> SecretBytes { random(count) }

    /// Another input.
    mutating func begin(at now: Instant) {
        self.now = now
        effects = []
    }

    mutating func act(_ effect: GroupCallEffect) { effects.append(effect) }

    mutating func reject(_ reason: MessageRejection) { rejections.count(reason) }

    /// So many may be in from here on.
    mutating func widen(to capacity: Int) { self.capacity = capacity }

    /// Somebody is in.
    mutating func becomeOn(since: Instant) {
        progress = .on(since: since)
        stop(.joining)
        stop(.returning)
    }

    // MARK: Clocks

    var isWaiting: Bool { !clocks.isEmpty }

    func runs(_ timer: GroupTimer) -> Bool { clocks.runs(timer) }

    mutating func start(_ timer: GroupTimer, _ time: Duration) { effects += clocks.start(timer, time) }

    mutating func startUnlessRunning(_ timer: GroupTimer, _ time: Duration) {
        effects += clocks.startUnlessRunning(timer, time)
    }

    mutating func stop(_ timer: GroupTimer) { effects += clocks.stop(timer) }

    /// Nothing runs and nothing waits for a receipt any more.
    mutating func stopAll() {
        effects += clocks.stopAll()
        outbox = GroupOutbox()
    }

    /// A clock ran out; false if it means nothing any more.
    mutating func ranOut(_ timer: GroupTimer) -> Bool { clocks.ranOut(timer) }

    // MARK: Sending

    /// Sends a message once, where there is a way; gives its number.
    @discardableResult
    mutating func send(_ message: GroupMessage, to member: MemberNumber) -> Int? {
        guard let way = lines.way(to: member) else { return nil }
        let number = outbox.number()
        act(.send(message, to: way, number: number))
        return number
    }

    /// Sends a message until it is confirmed.
    mutating func put(_ message: GroupMessage, _ subject: GroupOutbox.Subject, to member: MemberNumber) {
        let number = outbox.put(message, subject, to: member, at: now)
        if let way = lines.way(to: member) { act(.send(message, to: way, number: number)) }
    }

    /// Whether a message waits for a receipt.
    var awaitsReceipts: Bool { !outbox.isEmpty }

    /// Sends again what was not confirmed, to who is in, and a few times that they are not to others.
    mutating func sendAgain() {
        for member in outbox.receivers where !roster.isPresent(member) { outbox.forgetButFarewell(member) }
        for (member, message, number) in outbox.due(at: now) {
            if let way = lines.way(to: member) { act(.send(message, to: way, number: number)) }
        }
    }

    /// The member's device has a message: gives who has what, the first time.
    mutating func confirmed(_ number: Int) -> (member: MemberNumber, message: GroupMessage)? {
        outbox.confirmed(number)
    }

    /// Nothing more is to be sent again to a member.
    mutating func forgetMessages(to member: MemberNumber) { outbox.forget(member) }
}
