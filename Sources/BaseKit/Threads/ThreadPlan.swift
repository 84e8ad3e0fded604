/// How many threads carry out what waits. Says what is to be done about them; whoever has the threads does it.
///
/// Two kinds of work wait: *tasks*, of which at most as many run at once as there are processors, and *calls*, which may wait for
/// something and run all at once. A task should not wait for anything, but some do, as GLib and locks have it: if nothing
/// begins for a while although tasks wait, one more may run, until none waits.
struct ThreadPlan {
    /// What is to be done about threads, after a change.
    enum Step: Equatable {
        case nothing
        /// One of the threads that sleep is to look for work.
        case wake
        /// There is to be one more, which looks for work.
        case start
    }

    /// What a thread does that looks for work.
    enum Turn: Equatable {
        case task
        case call
        /// Nothing, until it is woken.
        case sleep
        /// Nothing any more.
        case end
    }

    private let limit: Int
    private let most: Int
    private var waitingTasks = 0
    private var waitingCalls = 0
    private var runningTasks = 0
    private var runningCalls = 0
    private var sleeping = 0
    /// Woken or started, on their way.
    private var coming = 0
    /// How many tasks more than `limit` may run.
    private var extra = 0
    private var begun = 0
    private var begunAtLook = 0

    /// Whether ``look()`` is to be called again and again.
    private(set) var isWatched = false

    /// For so many tasks at once; and `most` threads in all.
    init(limit: Int, most: Int) {
        (self.limit, self.most) = (limit, most)
    }

    /// How many threads there are.
    var threads: Int { runningTasks + runningCalls + sleeping + coming }

    /// A task waits.
    mutating func addTask() -> Step {
        waitingTasks += 1
        return next()
    }

    /// A call waits.
    mutating func addCall() -> Step {
        waitingCalls += 1
        return next()
    }

    /// A thread that was woken or started looks for work.
    mutating func arrived() -> Turn {
        coming -= 1
        return turn()
    }

    /// A thread has done its task, and looks for work.
    mutating func taskDone() -> Turn {
        runningTasks -= 1
        return turn()
    }

    /// A thread has done its call, and looks for work.
    mutating func callDone() -> Turn {
        runningCalls -= 1
        return turn()
    }

    /// A thread could not be started; what waits is taken by those there are.
    mutating func startFailed() { coming -= 1 }

    /// Some 20 ms have passed since ``isWatched`` was set or this was called.
    mutating func look() -> Step {
        guard waitingTasks > 0 else {
            (isWatched, extra) = (false, 0)
            return .nothing
        }
        if begun == begunAtLook { extra += 1 }
        begunAtLook = begun
        return next()
    }

    private mutating func turn() -> Turn {
        if waitingCalls > 0 {
            waitingCalls -= 1
            runningCalls += 1
            return .call
        }
        if waitingTasks > 0, runningTasks < limit + extra {
            waitingTasks -= 1
            runningTasks += 1
            begun += 1
            return .task
        }
        guard sleeping + runningTasks + coming < limit else { return .end }
        sleeping += 1
        return .sleep
    }

    private mutating func next() -> Step {
        let tasks = min(waitingTasks, limit + extra - runningTasks)
        if tasks < waitingTasks, !isWatched {
            (isWatched, begunAtLook) = (true, begun)
        }
        guard waitingCalls + max(0, tasks) > coming else { return .nothing }
        if sleeping > 0 {
            sleeping -= 1
            coming += 1
            return .wake
        }
        guard threads < most else { return .nothing }
        coming += 1
        return .start
    }
}
