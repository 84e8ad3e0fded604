import TestSupport
import Testing

@testable import BaseKit

@Suite(.timeLimit(.minutes(5))) struct ThreadPlanTests {
    @Test func `a thread is started for the first task, and sleeps after it`() {
        var plan = ThreadPlan(limit: 2, most: 8)
        #expect(plan.addTask() == .start)
        #expect(plan.arrived() == .task)
        #expect(plan.taskDone() == .sleep)
        #expect(plan.threads == 1)
    }

    @Test func `a thread that sleeps is woken before one is started`() {
        var plan = ThreadPlan(limit: 2, most: 8)
        _ = (plan.addTask(), plan.arrived(), plan.taskDone())
        #expect(plan.addTask() == .wake)
        #expect(plan.addTask() == .start)
    }

    @Test func `no more tasks run at once than the limit says`() {
        var plan = ThreadPlan(limit: 2, most: 8)
        #expect([plan.addTask(), plan.addTask(), plan.addTask()] == [.start, .start, .nothing])
        #expect([plan.arrived(), plan.arrived()] == [.task, .task])
        #expect(plan.taskDone() == .task)
    }

    @Test func `calls run beside tasks, however many`() {
        var plan = ThreadPlan(limit: 1, most: 8)
        _ = (plan.addTask(), plan.arrived())
        for _ in 0..<5 {
            #expect(plan.addCall() == .start)
            #expect(plan.arrived() == .call)
        }
        #expect(plan.threads == 6)
    }

    @Test func `threads that calls needed end after them`() {
        var plan = ThreadPlan(limit: 1, most: 8)
        for _ in 0..<3 { _ = (plan.addCall(), plan.arrived()) }
        #expect([plan.callDone(), plan.callDone(), plan.callDone()] == [.sleep, .end, .end])
        #expect(plan.threads == 1)
    }

    @Test func `one more task runs each time nothing has begun between two looks`() {
        var plan = ThreadPlan(limit: 1, most: 8)
        _ = (plan.addTask(), plan.arrived())
        #expect(!plan.isWatched)
        #expect(plan.addTask() == .nothing)
        #expect(plan.isWatched)
        #expect(plan.look() == .start)
        #expect(plan.arrived() == .task)
    }

    @Test func `no more tasks run as long as some begin`() {
        var plan = ThreadPlan(limit: 1, most: 8)
        _ = (plan.addTask(), plan.arrived(), plan.addTask(), plan.addTask())
        #expect(plan.taskDone() == .task)
        #expect(plan.look() == .nothing)
        #expect(plan.isWatched)
    }

    @Test func `nobody looks any more once nothing waits`() {
        var plan = ThreadPlan(limit: 1, most: 8)
        _ = (plan.addTask(), plan.arrived(), plan.addTask())
        _ = (plan.look(), plan.arrived())
        #expect(plan.look() == .nothing)
        #expect(!plan.isWatched)
        // The one too many is not there for the next time.
        _ = (plan.taskDone(), plan.taskDone())
        #expect([plan.addTask(), plan.addTask()] == [.wake, .nothing])
    }

    @Test func `there are never more threads than the most`() {
        var plan = ThreadPlan(limit: 1, most: 3)
        let steps = (0..<5).map { _ in plan.addCall() }
        #expect(steps == [.start, .start, .start, .nothing, .nothing])
        _ = (plan.arrived(), plan.arrived(), plan.arrived())
        #expect(plan.callDone() == .call)
    }

    /// Threads as the executor has them: which of them do what, in an order that a seed chooses.
    @Test(arguments: 0..<200)
    func `all that is added is carried out, and nothing is forgotten`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var plan = ThreadPlan(
            limit: Int.random(in: 1...4, using: &random), most: Int.random(in: 5...20, using: &random))
        var (added, done, coming, tasks, calls) = (0, 0, 0, 0, 0)
        func settle(_ step: ThreadPlan.Step) { if step != .nothing { coming += 1 } }
        func settle(_ turn: ThreadPlan.Turn) {
            switch turn {
            case .task: tasks += 1
            case .call: calls += 1
            case .sleep, .end: break
            }
        }
        while done < 300 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where added < 300:
                added += 1
                settle(plan.addTask())
            case 1 where added < 300:
                added += 1
                settle(plan.addCall())
            case 2 where coming > 0:
                coming -= 1
                settle(plan.arrived())
            case 3 where tasks > 0:
                tasks -= 1
                done += 1
                settle(plan.taskDone())
            case 4 where calls > 0:
                calls -= 1
                done += 1
                settle(plan.callDone())
            default:
                // Nobody does anything, and nobody comes: then nothing may be waiting.
                if coming + tasks + calls == 0, done < added {
                    Issue.record("\(added - done) wait and no thread does anything")
                    return
                }
            }
        }
    }
}
