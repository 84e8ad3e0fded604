import Testing

@testable import MediaRules

/// What is open, by everything that decides about it.
@Suite(.timeLimit(.minutes(5))) struct MediaSwitchesTests {
    private static let sharings: [ScreenSharing] = [.off, .starting, .on(withSound: false), .on(withSound: true)]
    private static let screenLines: [MediaSlot?] = [nil, .camera, .screen]

    private struct Case {
        var switches: MediaSwitches
        var isFlowing: Bool
        var screenLine: MediaSlot?

        var open: OpenMedia { switches.open(isFlowing: isFlowing, screenLine: screenLine) }
    }

    /// All there are.
    private static var cases: [Case] {
        var cases: [Case] = []
        for bits in 0..<16 {
            for sharing in sharings {
                for line in screenLines {
                    var switches = MediaSwitches(isCameraOn: bits & 1 != 0)
                    switches.isMicrophoneOn = bits & 2 != 0
                    switches.isHeld = bits & 4 != 0
                    switches.sharing = sharing
                    cases.append(Case(switches: switches, isFlowing: bits & 8 != 0, screenLine: line))
                }
            }
        }
        return cases
    }

    @Test func `on hold nothing leaves, nothing is taken and no device is open, whatever is switched on`() {
        for one in Self.cases where one.switches.isHeld {
            #expect(one.open.lines.isEmpty && one.open.devices.isEmpty && !one.open.takesPeer)
        }
    }

    @Test func `before the peer is verified devices are open and nothing leaves`() {
        for one in Self.cases where !one.isFlowing && !one.switches.isHeld {
            #expect(one.open.lines.isEmpty && one.open.takesPeer)
            #expect(one.open.devices.isSuperset(of: [.microphone, .speaker]))
        }
    }

    @Test func `the microphone's line is open while it is on, and its device also while it is muted`() {
        for one in Self.cases where !one.switches.isHeld && one.isFlowing {
            #expect(one.open.lines.contains(.microphone) == one.switches.isMicrophoneOn)
            #expect(one.open.devices.contains(.microphone))
        }
    }

    @Test func `a screen in the camera's place has its line and closes its device`() {
        for one in Self.cases where !one.switches.isHeld && one.isFlowing {
            let isAlone = one.screenLine == .camera && one.switches.sharing.isOn
            #expect(one.open.lines.contains(.camera) == (one.switches.isCameraOn || isAlone))
            #expect(one.open.devices.contains(.camera) == (one.switches.isCameraOn && !isAlone))
        }
    }

    @Test
    func `screen and screen's sound leave while they are shared, the sound on its own line wherever the screen goes`() {
        for one in Self.cases where !one.switches.isHeld && one.isFlowing {
            let hasScreen = one.switches.sharing.isOn && one.screenLine == .screen
            #expect(one.open.lines.contains(.screen) == hasScreen)
            let hasSound = one.screenLine != nil && one.switches.sharing == .on(withSound: true)
            #expect(one.open.lines.contains(.screenSound) == hasSound && one.open.shares.hasScreenSound == hasSound)
        }
    }

    @Test func `a screen that moves goes in the camera's place as a camera does, and one that is read does not`() {
        var switches = MediaSwitches(isCameraOn: true)
        switches.sharing = .on(withSound: false)
        for (content, isRead) in [(ScreenContent.text, true), (.motion, false)] {
            switches.screenContent = content
            #expect(switches.open(isFlowing: true, screenLine: .camera).shares.isReadInCamerasPlace == isRead)
            #expect(!switches.open(isFlowing: true, screenLine: .screen).shares.isReadInCamerasPlace)
        }
    }

    @Test func `what may be sent is shared in the same way on hold and otherwise`() {
        for one in Self.cases {
            var other = one.switches
            other.isHeld.toggle()
            #expect(one.open.shares == other.open(isFlowing: one.isFlowing, screenLine: one.screenLine).shares)
            #expect(one.open.shares.hasCamera == one.switches.isCameraOn)
        }
    }
}
