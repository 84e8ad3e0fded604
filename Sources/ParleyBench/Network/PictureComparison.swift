import BaseKit
import Foundation

/// Compares shown pictures with those of a film, on a thread that gives way to what is measured: pictures that it has no time for are left
/// out.
final class PictureComparison: Sendable {
    private struct State {
        var waiting: [(picture: LumaPicture, end: Int)] = []
        var found: [Int: [Double]] = [:]
    }

    /// How many may wait.
    static let most = 4

    private let state = Lock(State())
    private let work = DispatchSemaphore(value: 0)

    /// Compares by `measure`, which gives nil where it can't, until ``stop()``.
    init(by measure: @escaping @Sendable (LumaPicture) -> Double?) {
        Thread.detachNewThread { self.run(measure) }
    }

    /// One that this end shows.
    func add(_ picture: LumaPicture, shownBy end: Int) {
        let isTaken = state.withLock { state in
            guard state.waiting.count < Self.most else { return false }
            state.waiting.append((picture, end))
            return true
        }
        if isTaken { work.signal() }
    }

    /// The mean of those of this end that were compared since the last question; nil: none were.
    func take(shownBy end: Int) -> Double? {
        let found = state.withLock { $0.found.removeValue(forKey: end) } ?? []
        return found.isEmpty ? nil : found.reduce(0, +) / Double(found.count)
    }

    /// What waits is given up.
    func stop() {
        state.withLock { $0.waiting = [] }
        work.signal()
    }

    private func run(_ measure: @Sendable (LumaPicture) -> Double?) {
        // On Linux that of this thread alone.
        setpriority(Int32(PRIO_PROCESS.rawValue), 0, 10)
        while true {
            work.wait()
            let next = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
            guard let next else { return }
            guard let similarity = measure(next.picture) else { continue }
            state.withLock { $0.found[next.end, default: []].append(similarity) }
        }
    }
}
