import Foundation
import Synchronization

/// Runs worlds by their seeds.
enum Simulation {
    private struct BeginningKind: Hashable {
        let meeting: Meeting
        let isRouted: Bool
    }

    private static let beginnings = Mutex<[BeginningKind: World.Beginning]>([:])

    /// One world.
    static func run(
        seed: UInt64, mix: Mix? = nil, flaws: World.Flaws = World.Flaws(), isLogging: Bool = false,
        steps: Int = World.usualSteps
    ) throws -> World.Outcome {
        let mix = mix ?? Mix.all[Int(seed % UInt64(Mix.all.count))]
        let kind = BeginningKind(meeting: mix.meeting, isRouted: mix.isRouted)
        let beginning = mix.fromHandshake ? nil : try beginning(kind)
        return try SeededEntropy.with(seed: seed) {
            try World(seed: seed, mix: mix, beginning: beginning, flaws: flaws, isLogging: isLogging, steps: steps)
                .run()
        }
    }

    /// One world in which nothing happens but that both relays are away for so many milliseconds.
    static func returns(afterOutageOf length: Int64, seed: UInt64, isRouted: Bool) throws -> World.Returns {
        let mix = Mix(name: "outage", isRouted: isRouted, weights: [.wait: 1])
        let beginning = try beginning(BeginningKind(meeting: mix.meeting, isRouted: isRouted))
        return try SeededEntropy.with(seed: seed) {
            try World(seed: seed, mix: mix, beginning: beginning).outage(of: length)
        }
    }

    /// Many, on two threads; those that failed, at most ten.
    static func run(seeds: Range<UInt64>) throws -> [World.Outcome] {
        struct State {
            var next: UInt64
            var failed: [World.Outcome] = []
            var error: (any Error)?
        }
        let state = Mutex(State(next: seeds.lowerBound))
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            while true {
                let seed = state.withLock { state -> UInt64? in
                    guard state.next < seeds.upperBound, state.failed.count < 10, state.error == nil else { return nil }
                    defer { state.next += 1 }
                    return state.next
                }
                guard let seed else { return }
                do {
                    let outcome = try run(seed: seed)
                    if !outcome.complaints.isEmpty { state.withLock { $0.failed.append(outcome) } }
                } catch {
                    state.withLock { $0.error = error }
                }
            }
        }
        return try state.withLock { state in
            if let error = state.error { throw error }
            return state.failed
        }
    }

    private static func beginning(_ kind: BeginningKind) throws -> World.Beginning {
        try beginnings.withLock { known in
            if let made = known[kind] { return made }
            let made = try SeededEntropy.with(seed: 0) {
                try World.beginning(kind.meeting, isRouted: kind.isRouted)
            }
            known[kind] = made
            return made
        }
    }
}
