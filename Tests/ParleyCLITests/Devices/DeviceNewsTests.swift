import Media
import MediaRules
import Parley
import Testing

@testable import ParleyCLI

@Suite(.timeLimit(.minutes(5))) struct DeviceNewsTests {
    @Test func `the first of a kind is the default one`() {
        var devices = MediaDevices()
        devices.cameras = [MediaDevice(id: "a", name: "A"), MediaDevice(id: "b", name: "B")]
        let lines = DeviceLine.lines(devices)
        #expect(lines.map { $0.fields["default"] } == [.boolean(true), .boolean(false)])
        #expect(lines[1].fields == ["kind": "camera", "id": "b", "name": "B", "default": .boolean(false)])
    }

    @Test func `news of devices are told once`() {
        var news = DeviceNews()
        var devices = DevicesInUse()
        devices.microphone = MediaDevice(id: "a", name: "A")
        let first = news.update(devices: devices, isMicrophoneSilent: true)
        #expect(first.map(\.name) == ["device", "microphone"])
        #expect(first[0].fields == ["kind": "microphone", "id": "a", "name": "A"])
        #expect(first[1].fields == ["state": "silent"])
        #expect(news.update(devices: devices, isMicrophoneSilent: true).isEmpty)
        let last = news.update(devices: DevicesInUse(), isMicrophoneSilent: false)
        #expect(last.map(\.fields) == [["kind": "microphone"], ["state": "heard"]])
    }

    @Test func `that the system mutes the microphone is told once, and its end`() {
        var news = DeviceNews()
        func update(_ isMuted: Bool) -> [DeviceNews.Item] {
            news.update(devices: DevicesInUse(), isMicrophoneSilent: false, isMicrophoneMutedBySystem: isMuted)
        }
        #expect(update(false).isEmpty)
        let muted = update(true)
        #expect(muted.map(\.name) == ["systemMute"] && muted[0].fields == ["state": "on"])
        #expect(muted[0].sentence == "The system has muted the microphone.")
        #expect(update(true).isEmpty)
        #expect(update(false).map(\.fields) == [["state": "off"]])
    }

    @Test func `what may be done with the sound is switched off by flags`() throws {
        #expect(try DeviceOptions.parse([]).allowedSoundProcessing == SoundProcessing())
        let some = try DeviceOptions.parse(["--no-echo-cancellation", "--no-gain"]).allowedSoundProcessing
        #expect(some == SoundProcessing(echoCancellation: false, noiseSuppression: true, automaticGain: false))
        #expect(try DeviceOptions.parse(["--no-noise-suppression"]).allowedSoundProcessing.noiseSuppression == false)
    }

    @Test func `how pictures are sent is said by options, otherwise the profile's choice stays`() throws {
        #expect(try DeviceOptions.parse([]).pictures == nil)
        #expect(try DeviceOptions.parse(["--low-data"]).pictures?.savesData == true)
        let large = try DeviceOptions.parse(["--camera-rows", "1080"])
        #expect(large.pictures?.camera == .high && large.pictures?.savesData == false)
        #expect(!large.areUsual)
        #expect(throws: (any Error).self) { try DeviceOptions.parse(["--camera-rows", "4320"]) }
    }

    @Test func `a speaker is none or a name`() {
        #expect(SpeakerArgument(argument: "none") == SpeakerArgument.none)
        #expect(SpeakerArgument(argument: "Desk-Speaker")?.sink == .named("Desk-Speaker"))
        #expect(SpeakerArgument(argument: "") == nil)
    }
}
