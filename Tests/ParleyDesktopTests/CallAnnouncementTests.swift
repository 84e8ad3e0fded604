import BaseKit
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct CallAnnouncementTests {
    private let ada = ContactItem(id: "ada", name: "Ada", isTestCall: false, isConnected: true)
    private let start = Instant.now

    private func call(
        _ stage: CallStage, after: Duration = .zero, lasted: Duration? = nil,
        _ change: (inout CallSnapshot) -> Void = { _ in }
    ) -> CallPresentation {
        var snapshot = CallSnapshot(stage: stage, cameraEnabled: true, peerCamera: true)
        change(&snapshot)
        return CallPresentation(
            contact: ada, kind: .video, snapshot: snapshot, cameraCount: 1,
            surroundings: .init(now: start + after, lasted: lasted, hasRemotePicture: true, hasRemoteScreen: true))
    }

    private func active(_ change: (inout CallSnapshot) -> Void = { _ in }) -> CallPresentation {
        call(.active(since: start), change)
    }

    private func said(_ former: CallPresentation?, _ now: CallPresentation) -> [String] {
        CallAnnouncement.changes(from: former, to: now).map(\.sentence)
    }

    @Test func `who calls is said at once, before anything else`() {
        let news = CallAnnouncement.changes(from: nil, to: call(.ringingIn))
        #expect(news == [CallAnnouncement(sentence: "Ada, Incoming video call", isUrgent: true)])
    }

    @Test func `each stage of a call is said once`() {
        let stages: [(CallPresentation, [String])] = [
            (call(.ringingOut), ["Ada, Calling…"]), (call(.ringingOut) { $0.isDelivered = true }, ["Ada, Ringing…"]),
            (call(.connecting), ["Ada, Connecting…"]), (active(), ["Ada, Connected"]), (active(), []),
            (call(.reconnecting), ["Ada, Reconnecting…"]), (active(), ["Ada, Connected"]),
        ]
        var former: CallPresentation?
        for (stage, sentences) in stages {
            #expect(said(former, stage) == sentences)
            former = stage
        }
    }

    @Test func `a picture that is paused is said, and what becomes of it, each once`() {
        let off = active { $0.peerCamera = false }
        let paused = active { ($0.peerCamera, $0.isPeerPicturePaused) = (false, true) }
        let sentence = "Ada’s picture is paused: their connection is too slow for it"
        #expect(said(active(), paused) == [sentence])
        #expect(said(paused, paused) == [])
        #expect(said(paused, active()) == ["Ada’s picture goes on"])
        #expect(said(paused, off) == ["Ada’s camera is off"])
        #expect(said(off, paused) == [sentence])
        #expect(said(off, active()) == ["Ada’s camera is on"])
    }

    @Test func `how long a call lasts is never said by itself`() {
        #expect(said(call(.active(since: start)), call(.active(since: start), after: .seconds(61))) == [])
    }

    @Test func `why a call is over is said with how long it was, and urgently`() {
        let over = call(.ended(sentence: "Ada ended the call."), lasted: .seconds(65))
        let news = CallAnnouncement.changes(from: active(), to: over)
        #expect(
            news == [CallAnnouncement(sentence: "Ada, Ada ended the call. The call lasted 1:05.", isUrgent: true)])
    }

    @Test func `own devices are said when they change, by whatever means`() {
        let muted = active { $0.microphoneEnabled = false }
        #expect(said(active(), muted) == ["Microphone off"])
        #expect(said(muted, active()) == ["Microphone on"])
        let dark = active { $0.cameraEnabled = false }
        #expect(said(active(), dark) == ["Camera off"])
        #expect(said(dark, active()) == ["Camera on"])
    }

    @Test func `that their sound is off is said, and that it is on again`() {
        let silent = active { $0.volumes.isSpeakerOn = false }
        #expect(said(active(), silent) == ["You have turned their sound off"])
        #expect(said(silent, active()) == ["Their sound is on"])
    }

    @Test func `the other side's devices are said when they change`() {
        let muted = active { $0.peerMicrophone = false }
        #expect(said(active(), muted) == ["Ada’s microphone is off"])
        #expect(said(muted, active()) == ["Ada’s microphone is on"])
        let dark = active { $0.peerCamera = false }
        #expect(said(active(), dark) == ["Ada’s camera is off"])
        #expect(said(dark, active()) == ["Ada’s camera is on"])
        let screen = active { $0.peerScreen = true }
        #expect(said(active(), screen) == ["Ada shares a screen"])
        #expect(said(screen, active()) == ["Ada does not share a screen any more"])
    }

    @Test func `a microphone that was off from the beginning is said when the call is connected`() {
        #expect(
            said(call(.connecting), active { $0.peerMicrophone = false })
                == ["Ada, Connected", "Ada’s microphone is off"])
    }

    @Test func `a hold is said in place of the stage, and its end`() {
        let held = active { $0.isHeldByPeer = true }
        #expect(said(active { $0.peerMicrophone = false }, held) == ["Ada has put you on hold"])
        #expect(said(held, active()) == ["Ada, Connected"])
    }

    @Test func `what others see and what the system mutes is said`() {
        let shared = active { $0.sharing = .on(withSound: false) }
        #expect(said(active(), shared) == ["You are sharing your screen"])
        #expect(said(shared, active()) == ["Your screen is not shared any more"])
        let silent = active { $0.isMicrophoneMutedBySystem = true }
        #expect(said(active(), silent) == ["The system has muted the microphone"])
        #expect(said(silent, active()) == ["The microphone is not muted by the system any more"])
        let both = active {
            $0.isMicrophoneMutedBySystem = true
            $0.microphoneEnabled = false
        }
        #expect(said(silent, both) == ["Microphone off"])
        #expect(said(active(), active { $0.isClear = true }) == ["Not encrypted end to end"])
    }

    @Test func `of several notices the new ones are said`() {
        let one = active { $0.notices = ["No camera was found."] }
        #expect(said(active(), one) == ["No camera was found."])
        #expect(said(one, active { $0.notices = ["No camera was found.", "Another."] }) == ["Another."])
    }
}
