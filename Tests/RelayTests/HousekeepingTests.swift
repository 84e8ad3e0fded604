import BaseKit
import Cryptography
import Foundation
import SMP
import SMPTransport
import Synchronization
import TestSupport
import Testing

@testable import Relay
@testable import RelayRules
@testable import SMPSession

/// A relay looks after itself when there is something to look after, and sleeps otherwise.
@Suite(.timeLimit(.minutes(5))) struct HousekeepingTests {
    private static let short = Duration.milliseconds(50)

    private func plan() -> HousekeepingPlan {
        HousekeepingPlan(tidyInterval: .seconds(60), sweepInterval: .seconds(600))
    }

    // MARK: The plan

    @Test func `a change is followed by one turn and no other`() {
        var plan = plan()
        #expect(plan.due == nil)
        plan.changed(at: at(0))
        plan.changed(at: at(30_000))
        #expect(plan.due == at(60_000))
        #expect(plan.begin(at: at(60_000)) == .init(sweeps: false, tidies: true))
        plan.end(.init(), at: at(60_000))
        #expect(plan.due == nil)
    }

    @Test func `a change during a turn is followed by another`() {
        var plan = plan()
        plan.changed(at: at(0))
        _ = plan.begin(at: at(60_000))
        plan.changed(at: at(60_001))
        plan.end(.init(), at: at(60_002))
        #expect(plan.due == at(120_001))
    }

    @Test func `messages that wait are looked at once an interval and the disk told how old they are`() {
        var plan = plan()
        plan.changed(at: at(0))
        _ = plan.begin(at: at(60_000))
        plan.end(.init(isKeeping: true), at: at(60_000))
        for minutes in [10, 20, 30] {
            let time = at(minutes * 60_000)
            #expect(plan.due == time)
            #expect(plan.begin(at: time) == .init(sweeps: true, tidies: true))
            plan.end(.init(isKeeping: true), at: time)
        }
        #expect(plan.begin(at: at(40 * 60_000)) == .init(sweeps: true, tidies: true))
        plan.end(.init(isKeeping: false), at: at(40 * 60_000))
        #expect(plan.due == nil)
    }

    @Test func `looking often for old messages does not tidy more often`() {
        var plan = HousekeepingPlan(tidyInterval: .seconds(60), sweepInterval: .seconds(1))
        plan.changed(at: at(0))
        var tidied = 0
        for second in 1...600 {
            let duties = plan.begin(at: at(second * 1_000))
            #expect(duties.sweeps)
            if duties.tidies { tidied += 1 }
            plan.end(.init(isKeeping: true), at: at(second * 1_000))
        }
        #expect(tidied == 10)
    }

    @Test func `a turn comes for what has to be forgotten and sooner for a change`() {
        var plan = plan()
        plan.expect(at(5_000_000))
        #expect(plan.begin(at: at(4_999_999)) == .init())
        #expect(plan.due == at(5_000_000))
        plan.changed(at: at(100_000))
        #expect(plan.due == at(160_000))
        _ = plan.begin(at: at(160_000))
        plan.end(.init(next: at(5_000_000)), at: at(160_000))
        #expect(plan.due == at(5_000_000))
    }

    @Test func `an address is forgotten when it has saved up its time again`() {
        var limits = WorkLimits()
        (limits.addressCapacity, limits.addressRate) = (.seconds(1), 0.1)
        var schedule = WorkSchedule<Int>(limits: limits)
        schedule.start(1, from: .ipv4(1), at: at(0))
        schedule.add(1, for: 1)
        _ = schedule.next()
        _ = schedule.done(1, rest: nil, cost: .milliseconds(500), at: at(0))
        _ = schedule.end(1, at: at(0))
        #expect(schedule.tidy(at: at(0)) == at(5_000))
        #expect(schedule.tidy(at: at(5_000)) == nil)
        #expect(schedule.laneCount == 0)
    }

    @Test func `a wrong password is forgotten when it is forgiven`() {
        var passwords = PasswordGuard()
        #expect(passwords.nextForgiven == nil)
        passwords.failed(.address(.ipv4(1)), at: at(0))
        passwords.failed(.address(.ipv4(2)), at: at(1_000))
        #expect(passwords.nextForgiven == at(0) + PasswordGuard.memory)
        passwords.tidy(at: at(0) + PasswordGuard.memory)
        #expect(passwords.nextForgiven == at(1_000) + PasswordGuard.memory)
    }

    // MARK: The relay

    /// The first turn is for what an earlier process has left.
    private func settle(_ relay: RelayServer) async throws {
        let keeper = relay.service.housekeeper
        try await waitUntil("the first turn") { keeper.turns > 0 && keeper.due == nil }
    }

    @Test(arguments: [RelayStorage.disk, .memory]) func `a relay that nobody uses is never woken up`(
        storage: RelayStorage
    ) async throws {
        try await withRelay(change: .init { ($0.tidyInterval, $0.storage) = (Self.short, storage) }) { relay, address in
            try await settle(relay)
            let connection = try await RelayConnection.connect(to: address)
            let queue = try await TestQueue(on: connection, subscribes: false)
            let request = queue.sender(.send(notify: false, body: [1]), secured: false)
            #expect(try await connection.request(request) == .ok)
            guard case .message(let id, _) = try await connection.request(queue.recipient(.get)) else {
                throw SMPError.noMessage
            }
            #expect(try await connection.request(queue.recipient(.acknowledge(id))) == .ok)
            await connection.close()
            // Queues are there still, but no message, and nobody who could be silent for too long.
            try await settle(relay)
            #expect(relay.queueCount == 1)
        }
    }

    @Test func `a session that says nothing wakes it up when its time is over and not before`() async throws {
        try await withRelay(change: .init { $0.tidyInterval = Self.short }) { relay, address in
            try await settle(relay)
            let keeper = relay.service.housekeeper
            let connection = try await RelayConnection.connect(to: address)
            _ = try await TestQueue(on: connection)
            try await waitUntil("only its silence is waited for") {
                keeper.due.map { $0 > .now + .seconds(5 * 3_600) } ?? false
            }
            let turns = keeper.turns
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
            #expect(keeper.due.map { $0 > .now + .seconds(5 * 3_600) } == true)
            #expect(keeper.turns == turns)
            await connection.close()
            try await settle(relay)
        }
    }

    @Test func `messages that wait wake it up only when they may be too old`() async throws {
        try await withRelay(change: .init { $0.tidyInterval = Self.short }) { relay, address in
            let keeper = relay.service.housekeeper
            let connection = try await RelayConnection.connect(to: address)
            let queue = try await TestQueue(on: connection, subscribes: false)
            let request = queue.sender(.send(notify: false, body: [1]), secured: false)
            #expect(try await connection.request(request) == .ok)
            await connection.close()
            try await waitUntil("only their age is waited for") {
                keeper.due.map { $0 > .now + .seconds(3_600) } ?? false
            }
            #expect(keeper.due.map { $0 < .now + .seconds(7_201) } == true)
        }
    }

    @Test func `the log is emptied after each change also after a restart`() async throws {
        try await withRelay(change: .init { $0.tidyInterval = Self.short }) { relay, address in
            let log = relay.configuration.stateDirectory + "/relay.sqlite-wal"
            func size() throws -> Int {
                try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? -1
            }
            var connection = try await RelayConnection.connect(to: address)
            for _ in 0..<3 {
                let queue = try await TestQueue(on: connection, subscribes: false)
                let request = queue.sender(.send(notify: false, body: [1]), secured: false)
                #expect(try await connection.request(request) == .ok)
                // With the age, which is written last.
                try await waitUntil("nothing is left in the log") {
                    try size() == 0 && relay.service.housekeeper.due.map { $0 > .now + .seconds(60) } == true
                }
            }
            await relay.stop()
            try await startAgain(relay)
            connection = try await RelayConnection.connect(to: address)
            _ = try await TestQueue(on: connection)
            try await waitUntil("nothing is left in the log again") {
                try size() == 0 && relay.service.housekeeper.due.map { $0 > .now + .seconds(60) } == true
            }
        }
    }

    @Test func `a log that an earlier process has left is emptied though nothing changes`() async throws {
        try await withFolder { folder in
            let copy = folder + "-copy"
            defer { try? FileManager.default.removeItem(atPath: copy) }
            let first = try SQLitePersistence(directory: folder)
            try first.write([.saveAge(1)])
            // As a process that is killed leaves it.
            try FileManager.default.copyItem(atPath: folder, toPath: copy)
            first.close()
            let log = copy + "/relay.sqlite-wal"
            func size() throws -> Int { try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? -1 }
            #expect(try size() > 0)
            let second = try SQLitePersistence(directory: copy)
            #expect(second.tidy())
            #expect(try size() == 0)
            second.close()
        }
    }

    /// A disk whose log can't be emptied at first.
    private final class StubbornDisk: QueuePersistence {
        let refusals = Mutex(2)
        let isTidy = Mutex(false)

        func load() throws -> PersistedQueues { PersistedQueues() }
        func bodies(of numbers: [Int64]) throws -> [Int64: [UInt8]] { [:] }
        func write(_ changes: [StoreChange]) throws {}
        func tidy() -> Bool {
            let isRefused = refusals.withLock { refusals in
                refusals -= 1
                return refusals >= 0
            }
            if !isRefused { isTidy.withLock { $0 = true } }
            return !isRefused
        }
        func close() {}
    }

    @Test func `a log that can't be emptied is tried again though nothing changes`() async throws {
        try await withRelay(change: .init { ($0.tidyInterval, $0.storage) = (Self.short, .memory) }) { relay, _ in
            let disk = StubbornDisk()
            relay.service.core.writer.attach(disk)
            relay.service.housekeeper.changed()
            try await waitUntil("it was emptied") { disk.isTidy.withLock { $0 } }
            try await settle(relay)
        }
    }
}
