import CallControl
import Foundation
import Portal
import Testing

/// Calls over the bus, which a person sees and agrees to.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class CallsOverBusDesktopTests: ServiceSuite {
    @Test func `what is asked over the bus of no call is of no consequence`() throws {
        let parley = try start()
        try parley.see("Call Sia Silent")
        let client = try client()
        for action in ["accept", "decline", "ignore", "nonsense"] {
            try blocking { try await client.activate(action: action) }
        }
        try parley.press("Call Sia Silent")
        try parley.see("0:")
    }

    @Test func `a call that rings is answered over the bus`() throws {
        let parley = try programWithoutWindow()
        let client = try client()
        parley.signal(SIGUSR1)
        _ = try notification()
        try blocking { try await client.activate(action: "accept", parameter: .string("nonsense")) }
        try blocking { try await client.activate(action: "nonsense") }
        try blocking { try await client.activate(action: "show-call") }
        try parley.see("Incoming video call")
        try blocking { try await client.activate(action: "decline") }
        try parley.see("You declined the call.")
    }

    @Test func `a call is dialled over the bus once the person agrees`() throws {
        let parley = try programWithoutWindow()
        let calls = try blocking { try await CallsClient(bus: Bus.session()) }
        try wait("the relay") { try blocking { try await calls.reachability() } == .yes }
        let answer = Task.detached { try await calls.dial("Sia Silent", video: false) }
        try parley.see("Call Sia Silent?")
        parley.screenshot("dial")
        #expect(try blocking { try await calls.calls() } == [])
        try Keyboard.press("Escape")
        #expect(throws: ServiceError.refused(.cancelled)) { try blocking { try await answer.value } }
        let second = Task.detached { try await calls.dial("Sia Silent", video: false) }
        try parley.see("Call Sia Silent?")
        try parley.press("Call")
        let id = try blocking { try await second.value }
        try parley.see("0:")
        let facts = try #require(try blocking { try await calls.calls() }.first)
        #expect([facts.id, facts.name, facts.state.rawValue] == [id, "Sia Silent", "active"])
        try blocking { try await calls.setMicrophone(id, on: false) }
        try parley.see("Unmute microphone")
        try blocking { try await calls.hangUp(id) }
        try parley.see("You ended the call.")
    }

    @Test func `calling back over the bus is seen and agreed to`() throws {
        let parley = try start(["--service"])
        try waitForName(parley)
        let client = try client()
        try blocking { try await client.activate(action: "call-back", parameter: .string("audio isSilent")) }
        try parley.see("Call Sia Silent?")
        #expect(!parley.shows("0:"))
        try parley.press("Call")
        try parley.see("0:")
    }

    @Test func `a call that rings is accepted over the bus in sight`() throws {
        let parley = try programWithoutWindow()
        let calls = try blocking { try await CallsClient(bus: Bus.session()) }
        parley.signal(SIGUSR1)
        _ = try notification()
        let ringing = try #require(try blocking { try await calls.calls() }.first)
        #expect(ringing.state == .ringing)
        try blocking { try await calls.accept(ringing.id, camera: false) }
        try wait("the window") { try Keyboard.windows(titled: "Parley").count == 1 }
        try parley.see("0:")
    }

    @Test func `a camera is turned on over the bus in sight`() throws {
        let parley = try start()
        try parley.press("Call Sia Silent")
        try parley.see("Turn camera on")
        let window = try Keyboard.window(titled: "Parley", onTop: true)
        try Keyboard.minimise(window)
        try wait("the window to be minimised") { try Keyboard.isMinimised(window) }
        let calls = try blocking { try await CallsClient(bus: Bus.session()) }
        let id = try #require(try blocking { try await calls.calls() }.first).id
        try blocking { try await calls.setMicrophone(id, on: false) }
        #expect(try Keyboard.isMinimised(window))
        try blocking { try await calls.setCamera(id, on: true) }
        try wait("the window") { try Keyboard.activeWindow() == window }
        try parley.see("Turn camera off")
    }

    @Test func `two calls are seen and controlled over the bus`() throws {
        let parley = try start()
        try parley.press("Video call with Paula Popular")
        try parley.see("0:")
        let calls = try blocking { try await CallsClient(bus: Bus.session()) }
        func present() throws -> [CallFacts] { try blocking { try await calls.calls() } }
        let first = try #require(try present().first)
        parley.signal(SIGUSR1)
        try wait("the second call") { try present().contains { $0.state == .ringing && $0.isWaiting } }
        let second = try #require(try present().first { $0.id != first.id })
        try blocking { try await calls.accept(second.id, camera: false) }
        try wait("the first on hold") {
            try present().contains { $0.id == first.id && $0.isHeld }
                && present().contains { $0.id == second.id && $0.state == .active && !$0.isHeld }
        }
        #expect(throws: ServiceError.refused(.wrongState)) { try blocking { try await calls.hold(first.id) } }
        try blocking { try await calls.resume(first.id) }
        try wait("the other way round") {
            try present().contains { $0.id == first.id && !$0.isHeld }
                && present().contains { $0.id == second.id && $0.isHeld }
        }
        try blocking { try await calls.hangUp(first.id) }
        try wait("one to be left") { try present().map(\.id) == [second.id] }
        #expect(try present().map(\.isHeld) == [true])
        try parley.see("You have put the call on hold")
        try blocking { try await calls.hangUp(second.id) }
        try parley.see("You ended the call.")
    }

    @Test func `whoever calls is blocked over the bus, and the person is told`() throws {
        let parley = try programWithoutWindow()
        let calls = try blocking { try await CallsClient(bus: Bus.session()) }
        parley.signal(SIGUSR1)
        _ = try notification()
        let ringing = try #require(try blocking { try await calls.calls() }.first)
        try blocking { try await calls.block(ringing.id) }
        try wait("the word of it") {
            self.notifications.shown.last?.body == "Another program had Cem Calls-Back blocked."
        }
        #expect(try blocking { try await calls.calls() } == [])
        #expect(throws: ServiceError.refused(.blocked)) {
            try blocking { try await calls.dial("Cem Calls-Back", video: false) }
        }
        #expect(!parley.shows("Call Cem Calls-Back"))
    }

    @Test func `the switch keeps other programs from calls`() throws {
        try choose(["calls-over-bus": false])
        let parley = try programWithoutWindow()
        let calls = try blocking { try await CallsClient(bus: Bus.session()) }
        let client = try client()
        parley.signal(SIGUSR1)
        _ = try notification()
        #expect(try blocking { try await calls.calls() } == [])
        #expect(throws: ServiceError.refused(.disabled)) {
            try blocking { try await calls.dial("Sia Silent", video: false) }
        }
        try blocking { try await client.activate(action: "decline") }
        try blocking { try await client.activate(action: "show-call") }
        try parley.see("Incoming video call")
    }
}
