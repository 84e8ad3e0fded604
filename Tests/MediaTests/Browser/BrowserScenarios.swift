import BaseKit
import Testing

@testable import Media
@testable import MediaRules

/// What every browser must be able to do with us.
enum BrowserScenarios {
    typealias Plan = BrowserCall.Plan

    /// Both roles, frame encryption on and off.
    static let matrix = [
        Plan(offerer: .parley), Plan(offerer: .browser), Plan(offerer: .parley, isEncrypted: false),
        Plan(offerer: .browser, isEncrypted: false),
    ]

    /// Pictures by colour and sound by level and frequency, both directions, and four m-lines recognised as such.
    static func picturesAndSound(_ plan: Plan) async throws {
        let call = try await BrowserCall(plan)
        try await call.checkPicturesAndSound()
        let view = try await call.browserSees("what we have on") { $0.microphone && $0.camera }
        #expect(!view.peerIsOlder)
        // So it may send what repairs single losses of sound.
        #expect(view.soundFormat.contains("useinbandfec=1"), "\(view.soundFormat)")
        #expect(await !call.session.isPeerOlder)
        #expect(view.directions == ["sendrecv", "sendrecv", "sendrecv", "sendrecv"])
        try await call.hasHappened(.peerMedia(PeerMedia(microphone: true, camera: true)))
        try await call.close()
    }

    /// The way is cut for less time than a loss takes to be noticed, both ways. The browser waits for what it misses; it is
    /// given a key frame instead, before it would ask for one.
    static func shortCut() async throws {
        let call = try await BrowserCall(Plan(offerer: .parley))
        try await call.checkPicturesAndSound()
        let before = try await call.browserSees("a hundred pictures") { $0.pictures > 100 }.pictures
        try await call.session.cut(for: .milliseconds(2_300))
        let start = Instant.now
        try await call.browserSees("pictures again") { $0.pictures > before + 20 }
        #expect(Instant.now - start < .seconds(3))
        try await call.close()
    }

    /// Our mute and camera off stop what the browser receives, and come back.
    static func ourMute() async throws {
        let call = try await BrowserCall(Plan(offerer: .browser))
        try await call.browserSees("what we have on") { $0.microphone && $0.camera }
        await call.session.setMicrophoneEnabled(false)
        await call.session.setCameraEnabled(false)
        try await call.browserSees("what we have on") { !$0.microphone && !$0.camera }
        await call.session.setMicrophoneEnabled(true)
        await call.session.setCameraEnabled(true)
        try await call.browserSees("what we have on") { $0.microphone && $0.camera }
        try await call.checkPicturesAndSound()
        try await call.close()
    }

    /// On hold nothing goes either way; the browser's page, which knows of no hold, sees microphone and camera off, and both come back.
    static func hold(_ plan: Plan) async throws {
        let call = try await BrowserCall(plan)
        try await call.checkPicturesAndSound()
        try await call.browserSees("what we have on") { $0.microphone && $0.camera }
        await call.session.setHeld(true)
        let stopped = try await call.browserSees("neither") { !$0.microphone && !$0.camera }
        try await eventually { call.session.remoteVideo.latest() == nil }
        try await Task.sleep(for: .seconds(1))
        // One that was under way may still come.
        try await call.browserSees("no more pictures") { $0.pictures <= stopped.pictures + 1 }
        await call.session.setHeld(false)
        try await call.browserSees("what we have on") { $0.microphone && $0.camera }
        try await call.checkPicturesAndSound()
        try await call.close()
    }

    /// The browser's mute and camera off are noticed, and that they come back.
    static func theirMute() async throws {
        let call = try await BrowserCall(Plan(offerer: .parley))
        try await call.checkPicturesAndSound()
        try await call.hasHappened(.peerMedia(PeerMedia(microphone: true, camera: true)))
        try await call.browser.tell("microphone", ["isOn": false])
        try await call.browser.tell("camera", ["isOn": false])
        try await call.hasHappened(.peerMedia(PeerMedia(microphone: false, camera: false)))
        try await eventually { call.session.remoteVideo.latest() == nil }
        try await call.browser.tell("microphone", ["isOn": true])
        try await call.browser.tell("camera", ["isOn": true])
        try await call.checkPicturesAndSound()
        try await call.close()
    }

    /// The browser hangs up and says so on the media path alone. Without that it would be a loss four seconds later.
    static func theirHangUp(_ plan: Plan) async throws {
        let call = try await BrowserCall(plan)
        try await call.checkPicturesAndSound()
        let start = Instant.now
        try await call.browser.tell("close")
        try await call.hasHappened(.peerLeft)
        #expect(Instant.now - start < .seconds(3))
        #expect(!call.log.events.contains(.lost))
        try await call.close()
    }

    /// We hang up; the browser's channel is over at once.
    static func ourHangUp(_ plan: Plan) async throws {
        let call = try await BrowserCall(plan)
        try await call.checkPicturesAndSound()
        try await call.browserSees("the channel") { $0.channel == "connected" }
        let start = Instant.now
        await call.session.close()
        try await call.browserSees("the end of the channel") { $0.channel == "closed" }
        #expect(Instant.now - start < .seconds(3))
        try await call.close()
    }

    /// A second call of both processes, with the camera's colour changed: nothing of the first call is left.
    static func secondCall() async throws {
        let first = try await BrowserCall(Plan(offerer: .parley))
        try await first.checkPicturesAndSound()
        try await first.close()
        let second = try await BrowserCall(Plan(offerer: .browser), colour: .orange)
        try await second.checkPicturesAndSound(colour: .orange)
        try await second.close()
    }

    /// The browser's screen comes beside its camera, and goes: not in Firefox, which repeats the last picture of a track that
    /// is gone. A still screen looks the same.
    static func screen(_ plan: Plan) async throws {
        let call = try await BrowserCall(plan)
        try await call.sees(.green)
        try await call.browser.tell("screen", ["colour": Colour.violet.css])
        try await call.seesScreen(.violet)
        try await call.hasHappened(.peerMedia(PeerMedia(microphone: true, camera: true, screen: true)))
        try await call.sees(.green)
        try await call.browser.tell("screen", [String: String]())
        if call.browser.kind != .firefox { try await call.hasNoScreen() }
        try await call.close()
    }

    /// Our screen and its sound come beside camera and voice, and go.
    static func ourScreen(_ plan: Plan) async throws {
        let call = try await BrowserCall(plan)
        try await call.browserSees("our camera alone") { Colour.parley.isClose($0.colour) && $0.screenColour == nil }
        await call.session.startScreen(.test, sound: .test)
        try await call.browserSees("our screen and its sound beside our camera and voice") { view in
            Colour.parleyScreen.isClose(view.screenColour) && Colour.parley.isClose(view.colour)
                && view.screenLevel > 0.02 && abs(view.screenFrequency - 1_320) < 60
                && abs(view.frequency - 440) < 40
        }
        await call.session.stopScreen()
        try await call.browserSees("three seconds of silence of our screen") { !$0.screen && $0.camera }
        try await call.browserSees("our camera still") { Colour.parley.isClose($0.colour) && $0.counts.failed == 0 }
        try await call.close()
    }

    /// A call without pictures, to which first the browser's camera and then ours is added.
    static func audioThenVideo(_ plan: Plan) async throws {
        let call = try await BrowserCall(plan)
        try await call.hears()
        try await call.browserSees("our microphone alone") { $0.microphone && !$0.camera && $0.level > 0.02 }
        #expect(call.session.remoteVideo.latest() == nil)
        try await call.browser.tell("camera", ["isOn": true])
        await call.session.setCameraEnabled(true)
        try await call.checkPicturesAndSound()
        try await call.close()
    }

    /// Peers with two m-lines: both find out, and the browser's screen takes the place of its camera.
    static func olderPeer(_ plan: Plan) async throws {
        let call = try await BrowserCall(plan)
        try await call.checkPicturesAndSound()
        #expect(await call.session.isPeerOlder)
        try await call.browser.tell("camera", ["isOn": false])
        try await call.browser.tell("screen", ["colour": Colour.violet.css])
        try await call.sees(.violet)
        // Ours takes our camera's place too, and gives it back.
        await call.session.startScreen(.test)
        try await call.browserSees("our screen in our camera's place") { Colour.parleyScreen.isClose($0.colour) }
        await call.session.stopScreen()
        try await call.browserSees("our camera again") { Colour.parley.isClose($0.colour) }
        try await call.close()
    }

    /// An older peer's call without pictures has one m-line.
    static func olderAudioCall() async throws {
        let call = try await BrowserCall(Plan(offerer: .browser, isOlder: true, hasVideo: false))
        try await call.hears()
        try await call.browserSees("our microphone alone") { $0.microphone && !$0.camera && $0.level > 0.02 }
        await call.session.setCameraEnabled(true)
        #expect(Capture.live == 1)
        try await call.close()
    }

    /// Names in place of addresses are asked for on the own network; where nobody answers, the browser's checks tell us its
    /// address.
    static func hiddenAddresses(_ plan: Plan) async throws {
        let call = try await BrowserCall(plan)
        try await call.checkPicturesAndSound()
        try await call.close()
    }
}
