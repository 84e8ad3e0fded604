import CGLib
import Dispatch
import GLibKit
import Glibc
import MainThreadSupport
import Synchronization
import Testing

/// How often the loop went to sleep and woke up.
private let polls = Atomic(0)

/// The GLib loop as the main actor's home.
@Suite(.onMainThread, .serialized, .timeLimit(.minutes(5))) struct MainLoopTests {
    @Test func `main actor tasks run under the loop without polling`() {
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
                #expect(elsewhere != pthread_self())
                steps.append("back")
                try? await Task.sleep(for: .milliseconds(400))
                steps.append("slept")
                DispatchQueue.main.async {
                    steps.append("dispatched")
                    loop.quit()
                }
            }
            loop.run()
            #expect(steps == ["task", "back", "slept", "dispatched"])
            // A loop that polled every few milliseconds would wake up a hundred times during the sleep.
            #expect(polls.load(ordering: .relaxed) < 20)
        }
    }

    @Test func `main actor handlers run inside the emission`() {
        MainActor.assumeIsolated {
            let object = Fixture.cancellable()
            var count = 0
            let connection = object.connect("cancelled") { count += 1 }
            g_cancellable_cancel(object.pointer())
            #expect(count == 1)
            #expect(connection.isConnected)
        }
    }

    @Test func `main actor handlers answer`() throws {
        try MainActor.assumeIsolated {
            let application = Fixture.application()
            application.connect("name-lost", returning: Bool.self) { _ in true }
            try #expect(application.emit("name-lost")?.get(as: Bool.self) == true)
        }
    }

    @Test func `property changes are seen`() {
        MainActor.assumeIsolated {
            let action = Fixture.simpleAction("camera")
            var seen: [Bool?] = []
            action.onChange(of: "enabled") { seen.append(action[property: "enabled"]) }
            action[property: "enabled"] = false
            #expect(seen == [false])
        }
    }
}
