import BaseKit
import DesktopApplication
import Media
import MediaRules
import Parley

/// Pretended devices, which nobody opens.
@MainActor final class FakeDevices {
    var choices = DeviceChoices()
    var ring = RingChoices() {
        didSet { ringChanges += 1 }
    }
    /// How often it was changed how calls ring.
    private(set) var ringChanges = 0
    /// Whether the microphone is open for a test.
    private(set) var isListening = false
    /// Whether the camera is open to look for QR codes.
    var isScanning = false
    /// Whether nothing reads QR codes.
    var lacksCodes = false
    /// Whether the camera is open for the person to look at.
    private(set) var isFilming = false
    /// The call that is on.
    weak var call: FakeCall?
    private(set) var list: MediaDevices
    private let listeners = Broadcaster<MediaDevices>()

    init() {
        list = MediaDevices()
        list.cameras = ["Built-in Camera", "Travel Camera"].map(Self.device)
        list.microphones = ["Built-in Microphone", "Headset"].map(Self.device)
        list.speakers = ["Built-in Speakers", "Headset"].map(Self.device)
    }

    /// A device of that name.
    static func device(_ name: String) -> MediaDevice { MediaDevice(id: "pretended:\(name)", name: name) }

    /// What is used: the choice, or else the standard one.
    func used(_ kind: DeviceKind) -> MediaDevice? {
        choices[kind].flatMap { list[kind].contains($0) ? $0 : nil } ?? list[kind].first
    }

    /// Something was plugged in or out.
    func change(_ body: (inout MediaDevices) -> Void) {
        body(&list)
        listeners.send(list)
    }

    func changes() -> AsyncStream<MediaDevices> { listeners.stream(beginning: [list]) }

    /// A voice that comes and goes.
    func readings() -> AsyncStream<MicrophoneTest.Reading> {
        isListening = true
        let (stream, listener) = AsyncStream<MicrophoneTest.Reading>.makeStream()
        let speaking = Task {
            for await level in Self.voice() { listener.yield(.level(level)) }
        }
        listener.onTermination = { [weak self] _ in
            speaking.cancel()
            Task { @MainActor in self?.isListening = false }
        }
        return stream
    }

    /// A picture, as long as the notices are read.
    func film() -> CameraTrial {
        isFilming = true
        let (notices, telling) = AsyncStream<MediaNotice>.makeStream()
        let picture = FakeVideo(width: 320, height: 240, hue: 140)
        picture.start()
        telling.onTermination = { [weak self] _ in
            picture.stop()
            Task { @MainActor in self?.isFilming = false }
        }
        return CameraTrial(picture: picture, notices: notices)
    }

    /// Levels of somebody who speaks.
    nonisolated static func voice() -> AsyncStream<Double> {
        let (stream, listener) = AsyncStream<Double>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let speaking = Task {
            var step = 0
            while !Task.isCancelled {
                step = (step + 1) % 12
                listener.yield(0.35 + Double(abs(step - 6)) / 12)
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
        listener.onTermination = { _ in speaking.cancel() }
        return stream
    }
}

extension FakeProvider {
    func devices() async throws -> AsyncStream<MediaDevices> { machine.changes() }

    func deviceChoices() -> DeviceChoices? { machine.choices }

    func choose(_ device: MediaDevice?, as kind: DeviceKind) async throws {
        machine.choices[kind] = device
        onDevices?()
        machine.call?.use(machine.used(kind), as: kind)
    }

    func setSoundProcessing(_ processing: SoundProcessing) async throws { machine.choices.soundProcessing = processing }

    func setPictures(_ pictures: PictureChoices) async throws { machine.choices.pictures = pictures }

    func testMicrophone() async throws -> AsyncStream<MicrophoneTest.Reading> { machine.readings() }

    func testCamera() async throws -> CameraTrial { machine.film() }

    func ringChoices() -> RingChoices? { machine.ring }

    func setRing(_ choices: RingChoices) async throws { machine.ring = choices }

    func makeSoundPlayer() -> SoundPlayer? { isHeard ? SoundPlayer() : nil }
}
