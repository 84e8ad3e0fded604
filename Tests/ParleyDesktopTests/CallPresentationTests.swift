import BaseKit
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct CallPresentationTests {
    private let ada = ContactItem(id: "ada", name: "Ada", isTestCall: false, isConnected: true)
    private let start = Instant.now

    private func shown(
        _ stage: CallStage, kind: CallKind = .video, after: Duration = .zero, lasted: Duration? = nil,
        picture: Bool = true, screen: Bool = false, _ change: (inout CallSnapshot) -> Void = { _ in }
    ) -> CallPresentation {
        var snapshot = CallSnapshot(stage: stage, cameraEnabled: kind == .video, peerCamera: kind == .video)
        change(&snapshot)
        return CallPresentation(
            contact: ada, kind: kind, snapshot: snapshot, cameraCount: 1,
            surroundings: .init(
                now: start + after, lasted: lasted, hasRemotePicture: picture, hasRemoteScreen: screen,
                hasLocalPicture: picture))
    }

    @Test func `each stage has its screen and sentence`() {
        #expect(shown(.ringingOut).screen == .call)
        #expect(shown(.ringingOut).status == "Calling…")
        #expect(shown(.ringingOut) { $0.isDelivered = true }.status == "Ringing…")
        let waiting = shown(.ringingOut) { $0.isWaitingForRelay = true }
        #expect(waiting.status == "The relay can’t be reached. Trying again…")
        #expect(shown(.ringingIn).screen == .incoming)
        #expect(shown(.ringingIn).status == "Incoming video call")
        #expect(shown(.ringingIn, kind: .audio).status == "Incoming call")
        #expect(shown(.connecting).status == "Connecting…")
        #expect(shown(.reconnecting).status == "Reconnecting…")
        #expect(shown(.ended(sentence: "Ada did not answer.")).screen == .ended)
        #expect(shown(.ended(sentence: "Ada did not answer.")).status == "Ada did not answer.")
    }

    @Test func `a picture that their link holds back is told in other words than a camera that is off`() {
        let off = shown(.active(since: start)) { $0.peerCamera = false }
        #expect(off.peerCameraSentence == "Ada’s camera is off" && off.peerPausedSentence == nil)
        let paused = shown(.active(since: start)) { ($0.peerCamera, $0.isPeerPicturePaused) = (false, true) }
        #expect(paused.peerCameraSentence == nil)
        #expect(paused.notice == "Ada’s picture is paused: their connection is too slow for it")
        #expect(!paused.showsRemoteVideo)
        let held = shown(.active(since: start)) {
            ($0.peerCamera, $0.isPeerPicturePaused, $0.isHeldByPeer) = (false, true, true)
        }
        #expect(held.notice == nil)
        // Also in a call that began with sound.
        let added = shown(.active(since: start), kind: .audio) { $0.isPeerPicturePaused = true }
        #expect(added.peerPausedSentence != nil && added.peerCameraSentence == nil)
    }

    @Test func `whether they speak is shown while their face stands for them and they may be heard`() {
        #expect(shown(.active(since: start), kind: .audio).showsSpeaking)
        #expect(!shown(.active(since: start)).showsSpeaking, "they are seen")
        #expect(shown(.active(since: start)) { $0.peerCamera = false }.showsSpeaking)
        #expect(!shown(.active(since: start), kind: .audio) { $0.peerMicrophone = false }.showsSpeaking)
        #expect(!shown(.active(since: start), kind: .audio) { $0.isHeld = true }.showsSpeaking)
        #expect(!shown(.active(since: start), kind: .audio, screen: true) { $0.peerScreen = true }.showsSpeaking)
        for stage in [CallStage.ringingOut, .connecting, .reconnecting, .ended(sentence: "Over.")] {
            #expect(!shown(stage, kind: .audio).showsSpeaking)
        }
    }

    @Test func `of several profiles a call says for which it is, as long as it lasts`() {
        func status(_ stage: CallStage, _ kind: CallKind = .video) -> String {
            CallPresentation(
                contact: ada, kind: kind, snapshot: CallSnapshot(stage: stage), cameraCount: 1,
                surroundings: .init(now: start, profile: "Work")
            ).status
        }
        #expect(status(.ringingIn) == "Incoming video call for Work")
        #expect(status(.ringingIn, .audio) == "Incoming call for Work")
        #expect(status(.ringingOut) == "Calling… · Work")
        #expect(status(.ended(sentence: "Over.")) == "Over.")
    }

    @Test func `what is shown without names is silent about the profile, too`() {
        let call = CallPresentation(
            contact: ada, kind: .audio, snapshot: CallSnapshot(stage: .ringingIn, isWaiting: true), cameraCount: 1,
            surroundings: .init(now: start, profile: "Work"))
        #expect(call.plainStatus == "Incoming call")
        #expect(call.plainAnswerSentence == "Incoming call. Accepting puts the other call on hold.")
        #expect(call.answerSentence == "Incoming call for Work. Accepting puts the other call on hold.")
    }

    @Test func `a call that is over says how long it was, if anybody was heard`() {
        #expect(shown(.ended(sentence: "Over."), lasted: .seconds(200)).length == "The call lasted 3:20.")
        #expect(shown(.ended(sentence: "Over.")).length == nil)
        #expect(shown(.active(since: start), lasted: .seconds(200)).length == nil)
    }

    @Test func `a call that is known not to be encrypted end to end says so as long as it is on`() {
        let sentence = "Not encrypted end to end"
        #expect(shown(.active(since: start)) { $0.isClear = true }.clearSentence == sentence)
        #expect(shown(.reconnecting) { $0.isClear = true }.clearSentence == sentence)
        let held = shown(.active(since: start)) { ($0.isClear, $0.isHeld) = (true, true) }
        #expect(held.clearSentence == sentence)
        #expect(shown(.active(since: start)).clearSentence == nil)
        #expect(shown(.ringingOut) { $0.isClear = true }.clearSentence == nil)
        #expect(shown(.ended(sentence: "Over.")) { $0.isClear = true }.clearSentence == nil)
    }

    @Test func `a call on hold says by whom, and shows neither pictures nor notices`() {
        let ours = shown(.active(since: start)) { $0.isHeld = true }
        #expect(ours.holdSentence == "You have put the call on hold" && ours.status == "On hold")
        #expect(!ours.showsRemoteVideo && !ours.showsPreview && ours.peerMutedSentence == nil && ours.notice == nil)
        #expect(!ours.controls.microphone.isEnabled && !ours.controls.camera.isEnabled)
        #expect(
            ours.controls.hold
                == ControlFace(
                    icon: "media-playback-start-symbolic", label: "Go on with the call", isActive: true, isEnabled: true
                ))
        #expect(ours.controls.canEnd && ours.controls.canCollapse)
        let theirs = shown(.active(since: start)) {
            $0.isHeldByPeer = true
            $0.peerMicrophone = false
        }
        #expect(theirs.holdSentence == "Ada has put you on hold" && theirs.status == "On hold")
        #expect(!theirs.showsRemoteVideo && theirs.peerMutedSentence == nil)
        #expect(theirs.controls.microphone.isEnabled && !theirs.controls.hold.isActive)
        #expect(shown(.active(since: start)).holdSentence == nil)
        #expect(shown(.active(since: start)).controls.hold.label == "Put the call on hold")
        #expect(!shown(.connecting).controls.hold.isEnabled && !shown(.ringingIn).controls.hold.isEnabled)
    }

    @Test func `a call to somebody in another call says so, and one that waits what accepting does`() {
        let elsewhere = shown(.ringingOut) {
            $0.isDelivered = true
            $0.isWaitingAtPeer = true
        }
        #expect(elsewhere.status == "In another call, and told that you call")
        #expect(shown(.ringingIn).answerSentence == "Incoming video call")
        let waiting = shown(.ringingIn, kind: .audio) { $0.isWaiting = true }
        #expect(waiting.status == "Incoming call")
        #expect(waiting.answerSentence == "Incoming call. Accepting puts the other call on hold.")
    }

    @Test func `an active call shows its duration`() {
        #expect(shown(.active(since: start), after: .seconds(75)).status == "1:15")
    }

    @Test func `their picture is shown only while it flows`() {
        #expect(shown(.active(since: start)).showsRemoteVideo)
        #expect(!shown(.active(since: start), picture: false).showsRemoteVideo)
        #expect(!shown(.connecting).showsRemoteVideo)
        #expect(!shown(.active(since: start)) { $0.peerCamera = false }.showsRemoteVideo)
        #expect(!shown(.active(since: start), kind: .audio).showsRemoteVideo)
        #expect(!shown(.ended(sentence: "Over.")).showsRemoteVideo)
    }

    @Test func `pictures that are added to an audio call are shown`() {
        let raised = shown(.active(since: start), kind: .audio) {
            $0.peerCamera = true
            $0.cameraEnabled = true
        }
        #expect(raised.showsRemoteVideo && raised.showsPreview)
        #expect(shown(.active(since: start), kind: .audio).notice == nil)
    }

    @Test func `a silent microphone is told while it is on`() {
        let sentence = "Your microphone gives no sound. Is it switched off?"
        #expect(shown(.active(since: start)) { $0.isMicrophoneSilent = true }.notice == sentence)
        let muted = shown(.active(since: start)) {
            $0.isMicrophoneSilent = true
            $0.microphoneEnabled = false
        }
        #expect(muted.notice == nil)
        #expect(shown(.active(since: start)).notice == nil)
    }

    @Test func `a microphone that the system has muted is told while it is on, and not as silent`() {
        let sentence = "The system has muted the microphone"
        let call = shown(.active(since: start)) {
            $0.isMicrophoneMutedBySystem = true
            $0.isMicrophoneSilent = true
        }
        #expect(call.systemMuteSentence == sentence && call.notice == nil)
        let off = shown(.active(since: start)) {
            $0.isMicrophoneMutedBySystem = true
            $0.microphoneEnabled = false
        }
        #expect(off.systemMuteSentence == nil)
        #expect(shown(.reconnecting) { $0.isMicrophoneMutedBySystem = true }.systemMuteSentence == sentence)
        for stage in [CallStage.ringingIn, .ringingOut, .connecting, .ended(sentence: "Over.")] {
            #expect(shown(stage) { $0.isMicrophoneMutedBySystem = true }.systemMuteSentence == nil)
        }
        #expect(shown(.active(since: start)).systemMuteSentence == nil)
    }

    @Test func `their screen is shown while it is shared and has a picture`() {
        let call = shown(.active(since: start), screen: true) { $0.peerScreen = true }
        #expect(call.showsRemoteScreen && call.showsRemoteVideo)
        #expect(!shown(.active(since: start)) { $0.peerScreen = true }.showsRemoteScreen)
        #expect(!shown(.active(since: start), screen: true).showsRemoteScreen)
        #expect(!shown(.connecting, screen: true) { $0.peerScreen = true }.showsRemoteScreen)
        #expect(!shown(.ended(sentence: "Over."), screen: true) { $0.peerScreen = true }.showsRemoteScreen)
    }

    @Test func `who shares is told so until the end`() {
        #expect(shown(.active(since: start)).sharingSentence == nil)
        #expect(shown(.active(since: start)) { $0.sharing = .starting }.sharingSentence == "Choose what to share…")
        #expect(
            shown(.reconnecting) { $0.sharing = .on(withSound: false) }.sharingSentence
                == "You are sharing your screen")
        #expect(
            shown(.active(since: start)) { $0.sharing = .on(withSound: true) }.sharingSentence
                == "You are sharing your screen and its sound")
        #expect(shown(.ended(sentence: "Over.")) { $0.sharing = .on(withSound: true) }.sharingSentence == nil)
    }

    @Test func `the preview is never shown before consent or after the end`() {
        #expect(!shown(.ringingIn).showsPreview)
        #expect(!shown(.ended(sentence: "Over.")).showsPreview)
        #expect(shown(.active(since: start)).showsPreview)
        #expect(!shown(.active(since: start)) { $0.cameraEnabled = false }.showsPreview)
    }

    @Test func `the other person's switches are said`() {
        let call = shown(.active(since: start)) {
            $0.peerMicrophone = false
            $0.peerCamera = false
        }
        #expect(call.peerMutedSentence == "Ada’s microphone is off")
        #expect(call.notice == "Ada’s camera is off")
        #expect(shown(.active(since: start)).peerMutedSentence == nil)
        #expect(shown(.active(since: start)).notice == nil)
    }

    @Test func `notices are shown until the call ends`() {
        #expect(shown(.connecting) { $0.notices = ["No camera was found."] }.notice == "No camera was found.")
        #expect(shown(.ended(sentence: "Over.")) { $0.notices = ["No camera was found."] }.notice == nil)
    }
}
