import Glibc
import Synchronization
import TestSupport

/// The thread, the clock and the chance of one simulated world: everything in it happens on the thread that calls `step`,
/// in an order that follows from the seed, at times that only this object moves.
///
/// `@unchecked Sendable`: everything but the lanes is touched on that one thread only; the lanes are locked, and a job that
/// comes from another thread is noted, because then the order would not follow from the seed.
final class Scheduler: @unchecked Sendable {
    private struct Timer {
        let time: Int64
        let number: UInt64
        let action: () -> Void
    }

    private struct Lanes {
        var jobs: [[@Sendable () -> Void]] = []
        var heads: [Int] = []
        var ready = 0
        var strangers = 0
    }

    /// Milliseconds since 1970.
    private(set) var now: Int64 = 1_700_000_000_000
    /// How much has happened.
    private(set) var stepCount = 0
    /// Called after each step.
    var afterStep: () -> Void = {}
    private var random: SeededGenerator
    private var timers: [Timer] = []
    private var nextTimer: UInt64 = 0
    private var naps: [UInt64: Nap] = [:]
    private let lanes = Mutex(Lanes())
    private let thread = pthread_self()
    /// For the tasks that no actor holds.
    private var commonLane: CommonLane?

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        commonLane = CommonLane(self)
        commonLane?.install()
    }

    /// Jobs that came from other threads.
    var strangerCount: Int { lanes.withLock { $0.strangers } }

    /// Whether a job waits to run.
    var isBusy: Bool { lanes.withLock { $0.ready > 0 } }

    /// When the next timer is due.
    var nextTime: Int64? { timers.last?.time }

    // MARK: Chance

    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    func happens(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

    func bits() -> UInt64 { random.next() }

    // MARK: Jobs and timers

    /// A place whose jobs run one after another in their order.
    func makeLane() -> Int {
        lanes.withLock { lanes in
            lanes.jobs.append([])
            lanes.heads.append(0)
            return lanes.jobs.count - 1
        }
    }

    func enqueue(_ job: @escaping @Sendable () -> Void, on lane: Int) {
        let isStranger = pthread_equal(pthread_self(), thread) == 0
        lanes.withLock { lanes in
            lanes.jobs[lane].append(job)
            lanes.ready += 1
            if isStranger { lanes.strangers += 1 }
        }
    }

    /// Calls `action` so many milliseconds from now.
    @discardableResult
    func after(_ delay: Int64, _ action: @escaping () -> Void) -> UInt64 {
        let timer = Timer(time: now + max(0, delay), number: nextTimer, action: action)
        nextTimer += 1
        // Latest first, so that the next one is at the end.
        var low = 0
        var high = timers.count
        while low < high {
            let middle = (low + high) / 2
            let other = timers[middle]
            if (other.time, other.number) > (timer.time, timer.number) { low = middle + 1 } else { high = middle }
        }
        timers.insert(timer, at: low)
        return timer.number
    }

    func nap(_ nap: Nap, _ delay: Int64) {
        let number = nextTimer
        naps[number] = nap
        after(delay) { [self] in
            naps[number] = nil
            nap.end(cancelled: false)
        }
    }

    /// Does one thing; false when there is nothing left to do.
    func step() -> Bool {
        stepCount += 1
        defer { afterStep() }
        let isBusy = isBusy
        let isDue = timers.last.map { $0.time <= now } ?? false
        if isBusy, !isDue || happens(0.5) {
            runJob()
            return true
        }
        guard let timer = timers.popLast() else { return false }
        now = max(now, timer.time)
        timer.action()
        return true
    }

    private func runJob() {
        // Work takes time too, so that other things can happen in between.
        if happens(0.25) { now += 1 }
        let pick = bits()
        let job = lanes.withLock { lanes -> (@Sendable () -> Void)? in
            let busy = lanes.jobs.indices.filter { lanes.heads[$0] < lanes.jobs[$0].count }
            guard !busy.isEmpty else { return nil }
            let lane = busy[Int(pick % UInt64(busy.count))]
            let job = lanes.jobs[lane][lanes.heads[lane]]
            lanes.heads[lane] += 1
            lanes.ready -= 1
            if lanes.heads[lane] == lanes.jobs[lane].count {
                lanes.jobs[lane] = []
                lanes.heads[lane] = 0
            }
            return job
        }
        job?()
    }

    /// Ends the world: whoever sleeps is woken with an error, nothing else happens any more.
    func end() {
        timers = []
        afterStep = {}
        repeat {
            let sleeping = naps.sorted { $0.key < $1.key }
            naps = [:]
            for (_, nap) in sleeping { nap.end(cancelled: true) }
            while isBusy { runJob() }
            timers = []
        } while !naps.isEmpty
        commonLane?.remove()
        commonLane = nil
    }
}

/// A task that waits for the clock of a world. On that world's thread only.
final class Nap: @unchecked Sendable {
    private var continuation: CheckedContinuation<Void, any Error>?
    private var isOver = false

    func begin(_ continuation: CheckedContinuation<Void, any Error>, _ scheduler: Scheduler, _ delay: Int64) {
        guard !isOver else { return continuation.resume(throwing: CancellationError()) }
        self.continuation = continuation
        scheduler.nap(self, delay)
    }

    func end(cancelled: Bool) {
        isOver = true
        let waiting = continuation
        continuation = nil
        if cancelled { waiting?.resume(throwing: CancellationError()) } else { waiting?.resume() }
    }
}

/// Runs an actor in a world.
final class WorldExecutor: SerialExecutor {
    private let scheduler: Scheduler
    private let lane: Int

    init(_ scheduler: Scheduler) {
        self.scheduler = scheduler
        lane = scheduler.makeLane()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        scheduler.enqueue({ job.runSynchronously(on: self.asUnownedSerialExecutor()) }, on: lane)
    }
}
