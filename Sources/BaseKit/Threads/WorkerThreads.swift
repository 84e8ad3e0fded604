import CThreads
import DequeModule
import Dispatch
import Glibc

/// The threads of a program that carry out what others must not wait for: calls that block, and, after ``takeTasks()``,
/// Swift's tasks. As many as there are processors stay; nothing wakes up while there is nothing to do.
///
/// In place of libdispatch's global queues, whose first thread sets a timer of one second that nothing stops.
public final class WorkerThreads: Sendable {
    /// Those of this program.
    public static let shared = WorkerThreads(limit: max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    /// At once, the blocked ones included.
    private static let most = 512
    /// How often threads are looked at that may all be blocked.
    private static let lookInterval = Duration.milliseconds(20)

    private enum Work: Sendable {
        case task(UnownedJob)
        case call(Call)
    }

    /// In a type of its own: a closure that is itself an element of a collection is wrapped once more each time it is moved.
    private struct Call: Sendable {
        let body: @Sendable () -> Void
    }

    private struct State {
        var plan: ThreadPlan
        var tasks = Deque<UnownedJob>()
        var calls = Deque<Call>()
        var delayed = DelayedWork<Work>()
        /// When the timer goes off, by the clock that runs while the machine sleeps; nil while it is not set.
        var alarm: Duration?
        /// When threads are looked at, by the same clock; nil while nobody needs it.
        var look: Duration?
        var hasKeeper = false
    }

    private let state: Lock<State>
    private let bell = DispatchSemaphore(value: 0)
    private let timer = AlarmTimer()

    /// For so many tasks at once.
    init(limit: Int) { state = Lock(State(plan: ThreadPlan(limit: limit, most: Self.most))) }

    /// Runs `body` soon, on a thread that it may block.
    public func run(_ body: @escaping @Sendable () -> Void) { add(.call(Call(body: body))) }

    /// Runs `body` on a thread that it may block, after a time in which the machine did not sleep.
    public func run(after time: Duration, _ body: @escaping @Sendable () -> Void) {
        add(.call(Call(body: body)), due: Self.now[.suspending] + time, by: .suspending)
    }

    /// Runs `body` on a thread that it may block, and gives what it gives.
    public func result<Value: Sendable>(of body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in run { continuation.resume(returning: body()) } }
    }

    /// How many threads there are.
    var threads: Int { state.withLock { $0.plan.threads } }

    /// Carries out a job as one of Swift's tasks.
    func run(_ job: UnownedJob) { add(.task(job)) }

    /// Carries out a job as one of Swift's tasks, when a clock of the machine has run so much longer.
    func run(_ job: UnownedJob, after time: Duration, by clock: DelayedWorkClock) {
        add(.task(job), due: Self.now[clock] + time, by: clock)
    }

    private func add(_ work: Work) {
        let (step, isFirstAlarm) = state.withLock { state in
            let step = Self.add(work, to: &state)
            return (step, state.plan.isWatched && state.look == nil ? setAlarm(&state) : false)
        }
        carryOut(step)
        if isFirstAlarm { startKeeper() }
    }

    private func add(_ work: Work, due: Duration, by clock: DelayedWorkClock) {
        let isFirstAlarm = state.withLock { state in
            let isFirst = state.delayed.add(work, due: due, by: clock)
            return isFirst ? setAlarm(&state) : false
        }
        if isFirstAlarm { startKeeper() }
    }

    private static func add(_ work: Work, to state: inout State) -> ThreadPlan.Step {
        switch work {
        case .task(let job):
            state.tasks.append(job)
            return state.plan.addTask()
        case .call(let call):
            state.calls.append(call)
            return state.plan.addCall()
        }
    }

    private func carryOut(_ step: ThreadPlan.Step) {
        switch step {
        case .nothing: break
        case .wake: bell.signal()
        case .start:
            let isStarted = Self.startThread(named: "worker") { [self] in work() }
            if !isStarted { state.withLock { $0.plan.startFailed() } }
        }
    }

    // MARK: A thread's life

    private enum Next {
        case work(Work)
        /// Nothing, until the bell rings.
        case sleep
        case end
    }

    /// What the runtime takes for none: tasks that go on elsewhere and come back need no other turn then, as on its own threads.
    private static let noExecutor = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)

    private func work() {
        var next = next { $0.arrived() }
        while true {
            switch next {
            case .work(.task(let job)):
                ExecutorJob(job).runSynchronously(on: Self.noExecutor)
                next = self.next { $0.taskDone() }
            case .work(.call(let call)):
                call.body()
                next = self.next { $0.callDone() }
            case .sleep:
                bell.wait()
                next = self.next { $0.arrived() }
            case .end: return
            }
        }
    }

    private func next(_ turn: (inout ThreadPlan) -> ThreadPlan.Turn) -> Next {
        state.withLock { state in
            switch turn(&state.plan) {
            case .task: .work(.task(state.tasks.removeFirst()))
            case .call: .work(.call(state.calls.removeFirst()))
            case .sleep: .sleep
            case .end: .end
            }
        }
    }

    private static func startThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(ThreadBody(run: body))
        let result = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        guard result == 0 else {
            argument.release()
            return false
        }
        _ = parley_name_thread(thread, name)
        pthread_detach(thread)
        return true
    }

    private final class ThreadBody: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    // MARK: Time

    private static var now: DelayedWork<Work>.Moment {
        DelayedWork.Moment(continuous: time(of: CLOCK_BOOTTIME), suspending: time(of: CLOCK_MONOTONIC))
    }

    private static func time(of clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Sets the timer, unless it goes off early enough. True if there is nobody yet who waits for it.
    private func setAlarm(_ state: inout State) -> Bool {
        let now = Self.now
        if state.plan.isWatched, state.look == nil { state.look = now.continuous + Self.lookInterval }
        let waits = [state.delayed.wait(at: now), state.look.map { $0 - now.continuous }].compactMap(\.self)
        guard let wait = waits.min() else { return false }
        let alarm = now.continuous + wait
        guard state.alarm.map({ alarm < $0 }) ?? true else { return false }
        state.alarm = alarm
        timer.set(after: wait)
        defer { state.hasKeeper = true }
        return !state.hasKeeper
    }

    /// One thread waits for the timer, for good.
    private func startKeeper() {
        let isStarted = Self.startThread(named: "timer") { [self] in
            while true {
                timer.wait()
                for step in alarmed() { carryOut(step) }
            }
        }
        if !isStarted { state.withLock { $0.hasKeeper = false } }
    }

    private func alarmed() -> [ThreadPlan.Step] {
        state.withLock { state in
            state.alarm = nil
            let now = Self.now
            var steps: [ThreadPlan.Step] = []
            while let work = state.delayed.takeDue(at: now) { steps.append(Self.add(work, to: &state)) }
            if let look = state.look, look <= now.continuous {
                state.look = nil
                steps.append(state.plan.look())
            }
            _ = setAlarm(&state)
            return steps
        }
    }
}
