import Testing

@testable import ParleyDesktop

@Suite struct ControlStateTests {
    private func controls(
        _ stage: CallStage, kind: CallKind = .video, cameras: Int = 2, microphone: Bool = true, camera: Bool = true
    ) -> ControlState {
        let snapshot = CallSnapshot(stage: stage, microphoneEnabled: microphone, cameraEnabled: camera)
        return ControlState(snapshot, kind: kind, cameraCount: cameras)
    }

    @Test func aRingingCallCanOnlyBeAcceptedOrDeclined() {
        let state = controls(.ringingIn)
        #expect(state.canAccept)
        #expect([state.canEnd, state.canCollapse, state.canFlip] == [false, false, false])
        #expect([state.microphone.isEnabled, state.camera.isEnabled] == [false, false])
    }

    @Test(arguments: [CallStage.ringingOut, .connecting, .active(since: .now), .reconnecting])
    func aCallOfOursCanBeControlledButNotAccepted(stage: CallStage) {
        let state = controls(stage)
        #expect(!state.canAccept)
        #expect([state.canEnd, state.canCollapse, state.canFlip] == [true, true, true])
        #expect([state.microphone.isEnabled, state.camera.isEnabled] == [true, true])
    }

    @Test func nothingCanBeDoneToAnEndedCall() {
        let state = controls(.ended(sentence: "Over."))
        #expect([state.canAccept, state.canEnd, state.canCollapse, state.canFlip] == [false, false, false, false])
    }

    @Test func flippingIsOfferedOnlyWithMoreThanOneCamera() {
        #expect(!controls(.active(since: .now), cameras: 0).showsFlip)
        #expect(!controls(.active(since: .now), cameras: 1).showsFlip)
        #expect(controls(.active(since: .now), cameras: 2).showsFlip)
        #expect(!controls(.active(since: .now), kind: .audio, cameras: 2).showsFlip)
        #expect(!controls(.active(since: .now), cameras: 2, camera: false).canFlip)
    }

    @Test func buttonsSayWhatTheyWouldDo() {
        #expect(controls(.active(since: .now)).microphone.label == "Mute microphone")
        #expect(controls(.active(since: .now), microphone: false).microphone.label == "Unmute microphone")
        #expect(controls(.active(since: .now)).camera.label == "Turn camera off")
        #expect(controls(.active(since: .now), camera: false).camera.label == "Turn camera on")
        #expect(controls(.active(since: .now), microphone: false).microphone.isTurnedOff)
    }

    @Test func anAudioCallHasNoCamera() {
        #expect(!controls(.active(since: .now), kind: .audio).camera.isEnabled)
    }
}
