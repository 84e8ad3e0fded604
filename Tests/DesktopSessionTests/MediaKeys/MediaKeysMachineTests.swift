import BaseKit
import TestSupport
import Testing

@testable import DesktopSession

@Suite(.timeLimit(.minutes(1))) struct MediaKeysMachineTests {
    private static let start = Instant(sinceStart: .seconds(100))
    private static let later = start + .seconds(2)

    private static func call(_ identifier: String, _ stage: MediaKeysCall.Stage) -> MediaKeysCall {
        MediaKeysCall(identifier, title: "Call", stage: stage)
    }

    private static func machine(_ stage: MediaKeysCall.Stage) -> MediaKeysMachine {
        var machine = MediaKeysMachine()
        machine.set(call("1", stage), at: start)
        return machine
    }

    /// What each key means in each stage.
    static let meanings: [(MediaKeysCall.Stage, MediaKeysMachine.Key, MediaKeysWish?)] = [
        (.ringing, .play, .acceptWithSoundOnly(call: "1")), (.ringing, .playPause, .acceptWithSoundOnly(call: "1")),
        (.ringing, .pause, nil), (.ringing, .stop, nil),
        (.active(isMicrophoneOn: true), .playPause, .setMicrophone(call: "1", isOn: false)),
        (.active(isMicrophoneOn: true), .pause, .setMicrophone(call: "1", isOn: false)),
        (.active(isMicrophoneOn: true), .play, nil), (.active(isMicrophoneOn: true), .stop, nil),
        (.active(isMicrophoneOn: false), .playPause, .setMicrophone(call: "1", isOn: true)),
        (.active(isMicrophoneOn: false), .play, .setMicrophone(call: "1", isOn: true)),
        (.active(isMicrophoneOn: false), .pause, nil), (.active(isMicrophoneOn: false), .stop, nil),
    ]

    @Test(arguments: meanings)
    func `a key means one thing`(
        stage: MediaKeysCall.Stage, key: MediaKeysMachine.Key, wish: MediaKeysWish?
    ) {
        var machine = Self.machine(stage)
        #expect(machine.press(key, at: Self.later) == wish)
    }

    @Test(arguments: MediaKeysMachine.Key.allCases)
    func `without a call a key means nothing`(key: MediaKeysMachine.Key) {
        var machine = MediaKeysMachine()
        #expect(machine.press(key, at: Self.later) == nil)
        machine = Self.machine(.ringing)
        machine.set(nil, at: Self.start)
        #expect(machine.press(key, at: Self.later) == nil)
    }

    @Test func `a key that was meant for the music accepts nothing`() {
        var machine = Self.machine(.ringing)
        #expect(machine.press(.playPause, at: Self.start + .milliseconds(999)) == nil)
        #expect(machine.press(.playPause, at: Self.start + .seconds(1)) != nil)
    }

    @Test func `a call is accepted once`() {
        var machine = Self.machine(.ringing)
        #expect(machine.press(.playPause, at: Self.later) != nil)
        #expect(machine.press(.playPause, at: Self.later) == nil)
    }

    @Test func `what is told again of a call that rings makes it no new one`() {
        var machine = Self.machine(.ringing)
        machine.set(MediaKeysCall("1", title: "Ada", stage: .ringing), at: Self.later)
        #expect(machine.press(.play, at: Self.later) == .acceptWithSoundOnly(call: "1"))
    }

    @Test func `the next call that rings has to have rung for a second, too`() {
        var machine = Self.machine(.ringing)
        _ = machine.press(.play, at: Self.later)
        machine.set(Self.call("2", .ringing), at: Self.later)
        #expect(machine.press(.play, at: Self.later) == nil)
        #expect(machine.press(.play, at: Self.later + .seconds(1)) == .acceptWithSoundOnly(call: "2"))
    }

    @Test func `two presses in a row turn the microphone off and on`() {
        var machine = Self.machine(.active(isMicrophoneOn: true))
        #expect(machine.press(.playPause, at: Self.later) == .setMicrophone(call: "1", isOn: false))
        #expect(machine.press(.playPause, at: Self.later) == .setMicrophone(call: "1", isOn: true))
    }

    @Test func `what the call says of its microphone counts`() {
        var machine = Self.machine(.active(isMicrophoneOn: true))
        machine.set(Self.call("1", .active(isMicrophoneOn: false)), at: Self.later)
        #expect(machine.press(.playPause, at: Self.later) == .setMicrophone(call: "1", isOn: true))
    }
}
