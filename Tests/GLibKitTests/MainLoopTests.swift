import CGLib
import Dispatch
import GLibKit
import Glibc
import Synchronization
import TestSupport
import XCTest

/// How often the loop went to sleep and woke up.
private let polls = Atomic(0)

/// XCTest, because it runs synchronous tests on the real main thread, where the GLib loop must run.
final class MainLoopTests: XCTestCase {
    override func invokeTest() {
        let watchdog = Watchdog(name, limit: .seconds(60), grace: .zero, interrupt: {})
        defer { watchdog.stop() }
        super.invokeTest()
    }

    func testMainActorTasksRunUnderTheLoopWithoutPolling() {
        MainActor.assumeIsolated {
            MainLoop.serveMainActor()
            let loop = MainLoop()
            var steps: [String] = []
            g_main_context_set_poll_func(nil) { descriptors, count, timeout in
                polls.add(1, ordering: .relaxed)
                return g_poll(descriptors, count, timeout)
            }
            defer { g_main_context_set_poll_func(nil, nil) }
            Task { @MainActor in
                steps.append("task")
                let elsewhere = await Task.detached { pthread_self() }.value
                XCTAssertNotEqual(elsewhere, pthread_self())
                steps.append("back")
                try? await Task.sleep(for: .milliseconds(400))
                steps.append("slept")
                DispatchQueue.main.async {
                    steps.append("dispatched")
                    loop.quit()
                }
            }
            loop.run()
            XCTAssertEqual(steps, ["task", "back", "slept", "dispatched"])
            // A loop that polled every few milliseconds would wake up a hundred times during the sleep.
            XCTAssertLessThan(polls.load(ordering: .relaxed), 20)
        }
    }

    func testMainActorHandlersRunInsideTheEmission() {
        MainActor.assumeIsolated {
            let object = Fixture.cancellable()
            var count = 0
            let connection = object.connect("cancelled") { count += 1 }
            g_cancellable_cancel(object.pointer())
            XCTAssertEqual(count, 1)
            XCTAssertTrue(connection.isConnected)
        }
    }

    func testMainActorHandlersAnswer() throws {
        try MainActor.assumeIsolated {
            let application = Fixture.application()
            application.connect("name-lost", returning: Bool.self) { _ in true }
            XCTAssertEqual(try application.emit("name-lost")?.get(as: Bool.self), true)
        }
    }

    func testPropertyChangesAreSeen() {
        MainActor.assumeIsolated {
            let action = Fixture.simpleAction("camera")
            var seen: [Bool?] = []
            action.onChange(of: "enabled") { seen.append(action[property: "enabled"]) }
            action[property: "enabled"] = false
            XCTAssertEqual(seen, [false])
        }
    }
}
