import Foundation
import Media
import MediaRules
import TestSupport
import Testing

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct DeviceSourcesTests {
    private let camera = MediaDevice(id: "v4l2:usb-1:Webcam", name: "Webcam")

    @Test func `a choice is used where the configuration leaves it to the person`() {
        var configuration = AccountConfiguration(directory: "")
        configuration.microphone = .test
        var choices = DeviceChoices()
        choices.camera = camera
        choices.microphone = camera
        let sources = DeviceSources(configuration, choices: choices)
        #expect(sources.camera == .preferred(camera))
        #expect(sources.microphone == .test)
        #expect(sources.speaker == .automatic)
        sources.choices.camera = nil
        #expect(sources.camera == .automatic)
    }

    @Test func `pictures are drawn unless the program says that it has no windows`() {
        var configuration = AccountConfiguration(directory: "")
        #expect(DeviceSources(configuration, choices: DeviceChoices()).drawsPictures)
        configuration.drawsPictures = false
        #expect(!DeviceSources(configuration, choices: DeviceChoices()).drawsPictures)
    }

    @Test func `what the configuration does not allow is not done with the sound`() {
        var configuration = AccountConfiguration(directory: "")
        configuration.allowedSoundProcessing.automaticGain = false
        let sources = DeviceSources(configuration, choices: DeviceChoices())
        #expect(sources.soundProcessing == SoundProcessing(automaticGain: false))
        sources.choices.soundProcessing.echoCancellation = false
        #expect(sources.soundProcessing == SoundProcessing(echoCancellation: false, automaticGain: false))
        #expect(sources.choices.soundProcessing.automaticGain, "what is allowed is no choice")
    }

    @Test func `how calls ring is remembered beside the devices`() throws {
        let folder = try TemporaryFolder()
        let directory = try ProfileDirectory(path: folder.path)
        var settings = try StoredSettings(directory)
        #expect(settings.ring == RingChoices())
        var ring = RingChoices()
        (ring.device, ring.volume, ring.file) = (camera, 0.25, "/home/ada/ring.ogg")
        try settings.remember(ring)
        var choices = DeviceChoices()
        choices.speaker = camera
        try settings.remember(choices)
        let again = try StoredSettings(directory)
        #expect(again.ring == ring)
        #expect(again.devices == choices)
    }

    @Test func `a profile of before there was a ring rings with Parley's own`() throws {
        let folder = try TemporaryFolder()
        let directory = try ProfileDirectory(path: folder.path)
        try Data("{\"relays\":[],\"displayName\":\"Ada\"}".utf8)
            .write(to: URL(fileURLWithPath: directory.file("settings.json")))
        let settings = try StoredSettings(directory)
        #expect(settings.ring == RingChoices())
        #expect(settings.loss == nil)
    }

    @Test func `how pictures are sent is the person's choice unless the configuration says it`() {
        var configuration = AccountConfiguration(directory: "")
        var choices = DeviceChoices()
        choices.pictures.camera = .high
        #expect(DeviceSources(configuration, choices: choices).pictures.camera == .high)
        configuration.pictures = PictureChoices()
        #expect(DeviceSources(configuration, choices: choices).pictures.camera == .standard)
    }

    @Test func `a profile of before there was a choice of pictures keeps its devices`() throws {
        let folder = try TemporaryFolder()
        let directory = try ProfileDirectory(path: folder.path)
        let device = "{\"id\":\"v4l2:usb-1:Webcam\",\"name\":\"Webcam\"}"
        let sound = "{\"echoCancellation\":true,\"noiseSuppression\":true,\"automaticGain\":true}"
        try Data("{\"relays\":[],\"devices\":{\"camera\":\(device),\"soundProcessing\":\(sound)}}".utf8)
            .write(to: URL(fileURLWithPath: directory.file("settings.json")))
        var settings = try StoredSettings(directory)
        #expect(settings.loss == nil)
        #expect(settings.devices.camera == camera)
        #expect(settings.devices.pictures == PictureChoices())
        var choices = settings.devices
        choices.pictures.savesData = true
        try settings.remember(choices)
        #expect(try StoredSettings(directory).devices == choices)
    }

    @Test func `choices are remembered by the profile`() throws {
        let folder = try TemporaryFolder()
        let directory = try ProfileDirectory(path: folder.path)
        var settings = try StoredSettings(directory)
        #expect(settings.devices == DeviceChoices())
        var choices = DeviceChoices()
        choices.camera = camera
        choices.soundProcessing.noiseSuppression = false
        try settings.remember(choices)
        #expect(try StoredSettings(directory).devices == choices)
    }

    @Test func `an account chooses, and remembers`() async throws {
        let folder = try TemporaryFolder()
        let neighbour = try await Account.open(.onlyHere(folder.path))
        try await neighbour.choose(camera, as: .camera)
        try await neighbour.setSoundProcessing(.off)
        await neighbour.close()
        let again = try await Account.open(.onlyHere(folder.path))
        #expect(again.deviceChoices.camera == camera)
        #expect(again.deviceChoices.soundProcessing == .off)
        await again.close()
    }

    @Test func `what only the person is told is part of the call's state`() {
        var state = CallState(media: .video, phase: .connecting)
        for item in [
            MediaNews.notice(.device(.missing(.camera))), .microphoneSilent(true), .cameraCount(2),
            .microphoneMutedBySystem(true),
            .sharing(.on(withSound: false)), .notice(.device(.missing(.microphone))),
        ] { state.apply(item) }
        #expect(state.notices == [.device(.missing(.camera)), .device(.missing(.microphone))])
        #expect(state.isMicrophoneMutedBySystem)
        state.apply(.microphoneMutedBySystem(false))
        #expect(!state.isMicrophoneMutedBySystem)
        #expect(state.isMicrophoneSilent && state.cameraCount == 2 && state.screenSharing == .on(withSound: false))
    }
}

extension AccountConfiguration {
    /// An account with a relay of its own that nobody else uses.
    fileprivate static func onlyHere(_ folder: String) -> AccountConfiguration {
        var configuration = AccountConfiguration(directory: folder)
        configuration.relays = .embedded(host: "127.0.0.1", port: 0)
        configuration.storeKey = .keyFile
        return configuration
    }
}
