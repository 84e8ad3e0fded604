import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct ControlStateTests {
    private func controls(
        _ stage: CallStage, kind: CallKind = .video, cameras: Int = 2, microphone: Bool = true, camera: Bool = true
    ) -> ControlState {
        let snapshot = CallSnapshot(stage: stage, microphoneEnabled: microphone, cameraEnabled: camera)
        return ControlState(snapshot, kind: kind, cameraCount: cameras)
    }

    @Test func `a ringing call can only be accepted or declined`() {
        let state = controls(.ringingIn)
        #expect(state.canAccept)
        #expect([state.canEnd, state.canCollapse, state.canFlip] == [false, false, false])
        #expect([state.microphone.isEnabled, state.camera.isEnabled] == [false, false])
    }

    @Test(arguments: [CallStage.ringingOut, .connecting, .active(since: .now), .reconnecting])
    func `a call of ours can be controlled but not accepted`(stage: CallStage) {
        let state = controls(stage)
        #expect(!state.canAccept)
        #expect([state.canEnd, state.canCollapse, state.canFlip] == [true, true, true])
        #expect([state.microphone.isEnabled, state.camera.isEnabled] == [true, true])
    }

    @Test func `their sound is off or on, as long as the call is ours`() {
        var snapshot = CallSnapshot(stage: .active(since: .now))
        #expect(ControlState(snapshot, kind: .audio, cameraCount: 0).speaker.label == "Turn their sound off")
        snapshot.volumes.isSpeakerOn = false
        let off = ControlState(snapshot, kind: .audio, cameraCount: 0).speaker
        #expect(off.label == "Turn their sound on" && off.isTurnedOff && off.isEnabled)
        snapshot.stage = .ringingIn
        #expect(!ControlState(snapshot, kind: .audio, cameraCount: 0).speaker.isEnabled)
    }

    @Test func `nothing can be done to an ended call`() {
        let state = controls(.ended(sentence: "Over."))
        #expect([state.canAccept, state.canEnd, state.canCollapse, state.canFlip] == [false, false, false, false])
    }

    @Test func `flipping is offered only with more than one camera`() {
        #expect(!controls(.active(since: .now), cameras: 0).showsFlip)
        #expect(!controls(.active(since: .now), cameras: 1).showsFlip)
        #expect(controls(.active(since: .now), cameras: 2).showsFlip)
        #expect(!controls(.active(since: .now), kind: .audio, cameras: 2, camera: false).showsFlip)
        #expect(!controls(.active(since: .now), cameras: 2, camera: false).canFlip)
    }

    @Test func `buttons say what they would do`() {
        #expect(controls(.active(since: .now)).microphone.label == "Mute microphone")
        #expect(controls(.active(since: .now), microphone: false).microphone.label == "Unmute microphone")
        #expect(controls(.active(since: .now)).camera.label == "Turn camera off")
        #expect(controls(.active(since: .now), camera: false).camera.label == "Turn camera on")
        #expect(controls(.active(since: .now), microphone: false).microphone.isTurnedOff)
    }

    @Test func `the camera can be turned on in an audio call`() {
        let off = controls(.active(since: .now), kind: .audio, camera: false)
        #expect(off.camera.isEnabled && off.camera.label == "Turn camera on")
        #expect(!off.showsFlip)
        #expect(controls(.active(since: .now), kind: .audio).canFlip)
    }

    @Test(arguments: [CallStage.ringingIn, .ringingOut, .connecting, .ended(sentence: "Over.")])
    func `a screen is not shared before the call is on or after it`(stage: CallStage) {
        #expect(!controls(stage).share.isEnabled)
    }

    @Test func `the share button says what it would do and stands out while others see`() {
        func share(_ sharing: SharingState) -> ControlFace {
            let snapshot = CallSnapshot(stage: .active(since: .now), sharing: sharing)
            return ControlState(snapshot, kind: .audio, cameraCount: 0).share
        }
        #expect(share(.off).label == "Share your screen")
        #expect(share(.off).isEnabled && !share(.off).isActive)
        for sharing in [SharingState.starting, .on(withSound: false), .on(withSound: true)] {
            #expect(share(sharing).label == "Stop sharing your screen")
            #expect(share(sharing).isActive)
        }
    }
}
