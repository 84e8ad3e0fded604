@testable import Calling

/// What goes wrong.
struct SimulatedMix: Sendable {
    var name: String
    var people: Int
    var capacity: Int
    /// Of a hundred messages, receipts and lines.
    var lossPercent = 0
    var slowestMessage = 400
    /// Of a hundred persons: whose process dies, whose network is cut.
    var deathPercent = 0
    var cutPercent = 0
    /// When calls go over a server, and of a hundred chances how often that is not there for a while.
    var server = GroupServerUse.never
    var serverPercent = 0
    /// Whether all are contacts of each other, also those whom another one has invited.
    var knowEachOther = false

    static let all = [
        SimulatedMix(name: "calm, up to four", people: 5, capacity: 4),
        SimulatedMix(name: "losing and slow", people: 5, capacity: 4, lossPercent: 12, slowestMessage: 4_000),
        SimulatedMix(name: "dying and cut off", people: 5, capacity: 4, deathPercent: 40, cutPercent: 40),
        SimulatedMix(
            name: "everything, up to eight", people: 8, capacity: 8, lossPercent: 6, slowestMessage: 2_000,
            deathPercent: 20, cutPercent: 15),
        SimulatedMix(name: "a server, calm", people: 7, capacity: 4, server: .whenNeeded),
        SimulatedMix(
            name: "a server that comes and goes", people: 8, capacity: 4, lossPercent: 6, slowestMessage: 2_000,
            server: .whenNeeded, serverPercent: 40),
        SimulatedMix(
            name: "a server and everything", people: 7, capacity: 4, lossPercent: 6, slowestMessage: 2_000,
            deathPercent: 20, cutPercent: 15, server: .always, serverPercent: 20),
        SimulatedMix(
            name: "contacts of each other, losing and dying", people: 5, capacity: 4, lossPercent: 6,
            slowestMessage: 2_000, deathPercent: 20, knowEachOther: true),
    ]
}

/// A fault that is built in on purpose.
enum SimulatedFlaw: CaseIterable {
    /// Goes on with the old key when somebody has gone.
    case keepsKey
    /// Gives newcomers the key as it is.
    case forgetsStep
    /// Opens devices as soon as it rings.
    case opensEarly
    /// Overhears what the host says of the others.
    case ignoresLists
    /// Waits for all receipts for ever.
    case waitsForReceipts
    /// Forgets that it is alone.
    case staysAlone
    /// Never tells what it has heard of a line.
    case losesLines
    /// Leaves who is put out what lets into the room.
    case leavesRoomsOpen
}

/// What was seen, so that a search can say that it has seen all of it.
struct SimulatedSights {
    var joins = 0, talks = 0, deaths = 0, returns = 0, removals = 0, successions = 0, rests = 0, messages = 0
    var rooms = 0, outages = 0
    /// How often who was introduced proved to be a contact, and how many were known as such at rest.
    var recognitions = 0, known = 0
    /// How often a member that is not the host invited a fifth person while the call went directly.
    var fifths = 0
    /// How often who was put out was looked for in the room that it knew, at rest.
    var lockedOut = 0
}
