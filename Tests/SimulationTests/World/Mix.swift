import SMP

/// What can happen in a world.
enum Happening: CaseIterable {
    case send, burst, sendLarge
    case cut, swallow, stall, repeatPayload
    case killPerson, killRelay
    /// A person's store takes nothing for a while.
    case failStore
    /// A person ends the program in the ordinary way, and starts it again.
    case closePerson
    /// A person's machine has no power for a while.
    case cutPower
    /// A person's store is copied as it is; an earlier copy is put back.
    case copyStore, restoreCopy
    case moveQueue, resynchronise
    /// Nothing for a long time.
    case wait
}

/// How two people meet.
enum Meeting: Hashable, CaseIterable, Sendable {
    /// By an invitation, all queues in messaging mode.
    case fast
    /// By an invitation of an older peer.
    case classic
    /// At a contact address.
    case address
}

/// One kind of schedule: what happens how often.
struct Mix: Sendable {
    let name: String
    var meeting = Meeting.fast
    /// Whether the faults begin before the handshake.
    var fromHandshake = false
    /// Whether each person has a relay of its own only, through which it reaches that of the other one.
    var isRouted = false
    var count = 6...16
    var weights: [Happening: Int]
    /// Messages a queue holds.
    var quota = 128
    var versions: [SMPVersion] = [9, 10, 11, 14, 17]
    /// How long the application takes to acknowledge, in milliseconds.
    var patience = 0...1_500
    var receipts = 0.4

    /// All kinds; a seed chooses one.
    static let all: [Mix] = [
        Mix(
            name: "messages",
            weights: [
                .send: 8, .burst: 3, .sendLarge: 1, .cut: 4, .swallow: 3, .stall: 2, .repeatPayload: 2, .killPerson: 4,
                .killRelay: 3, .failStore: 3, .wait: 1,
            ]),
        Mix(
            name: "moving queues",
            weights: [
                .send: 6, .burst: 2, .cut: 3, .swallow: 2, .stall: 1, .killPerson: 4, .killRelay: 2, .failStore: 3,
                .moveQueue: 4, .wait: 1,
            ]),
        Mix(
            name: "new ratchets",
            weights: [
                .send: 6, .burst: 2, .cut: 3, .swallow: 2, .stall: 1, .killPerson: 4, .killRelay: 2, .failStore: 3,
                .resynchronise: 4, .wait: 1,
            ]),
        Mix(
            name: "full queues",
            weights: [
                .send: 4, .burst: 8, .cut: 2, .swallow: 2, .killPerson: 4, .killRelay: 2, .failStore: 3,
                .wait: 3,
            ], quota: 3, patience: 0...60_000),
        Mix(
            name: "everything",
            weights: [
                .send: 6, .burst: 3, .sendLarge: 1, .cut: 2, .swallow: 2, .stall: 2, .repeatPayload: 2, .killPerson: 3,
                .killRelay: 2, .failStore: 2, .moveQueue: 2, .resynchronise: 2, .wait: 1,
            ], quota: 5, patience: 0...20_000),
        Mix(
            name: "restored copies",
            weights: [
                .send: 6, .burst: 2, .cut: 1, .swallow: 1, .killPerson: 2, .killRelay: 1, .failStore: 1,
                .closePerson: 5, .cutPower: 1, .copyStore: 4, .restoreCopy: 4, .resynchronise: 1, .wait: 1,
            ]),
        // Nothing else goes wrong, so that notes follow in time.
        Mix(name: "power cuts", weights: [.send: 5, .burst: 2, .closePerson: 1, .cutPower: 4, .wait: 4]),
        Mix(name: "handshake, invitation", fromHandshake: true, weights: handshake),
        Mix(name: "handshake, older peer", meeting: .classic, fromHandshake: true, weights: handshake),
        Mix(name: "handshake, address", meeting: .address, fromHandshake: true, weights: handshake),
        Mix(
            name: "through proxies", isRouted: true,
            weights: [
                .send: 8, .burst: 3, .sendLarge: 1, .cut: 5, .swallow: 4, .stall: 2, .repeatPayload: 2, .killPerson: 3,
                .killRelay: 5, .failStore: 1, .wait: 1,
            ]),
        Mix(name: "handshake through proxies", fromHandshake: true, isRouted: true, weights: handshake),
    ]

    private static let handshake: [Happening: Int] = [
        .send: 3, .cut: 4, .swallow: 3, .stall: 1, .repeatPayload: 1, .killPerson: 6, .killRelay: 3, .failStore: 4,
        .wait: 1,
    ]

    /// Chooses by weight; in an order that is always the same.
    func choose(_ scheduler: Scheduler) -> Happening {
        let known = Happening.allCases.filter { weights[$0] != nil }
        var left = scheduler.number(0...known.reduce(0) { $0 + (weights[$1] ?? 0) } - 1)
        for happening in known {
            left -= weights[happening] ?? 0
            if left < 0 { return happening }
        }
        return .wait
    }
}
