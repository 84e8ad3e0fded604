import GLibKit
import Media
import MediaRules
import Parley

// Devices of the account.
extension AccountProvider {
    func devices() async throws -> AsyncStream<MediaDevices> { try await DeviceMonitor.shared.changes() }

    func deviceChoices() -> DeviceChoices? { (try? opened())?.deviceChoices }

    func choose(_ device: MediaDevice?, as kind: DeviceKind) async throws {
        if kind == .microphone { await microphoneTest?.select(device) }
        if kind == .camera { await cameraTest?.select(device) }
        defer { onDevices?() }
        try await opened().choose(device, as: kind)
    }

    func setSoundProcessing(_ processing: SoundProcessing) async throws {
        defer { onDevices?() }
        try await opened().setSoundProcessing(processing)
    }

    func setPictures(_ pictures: PictureChoices) async throws {
        defer { onDevices?() }
        try await opened().setPictures(pictures)
    }

    func testMicrophone() async throws -> AsyncStream<MicrophoneTest.Reading> {
        let test = try opened().makeMicrophoneTest()
        await microphoneTest?.close()
        microphoneTest = test
        let (stream, telling) = AsyncStream<MicrophoneTest.Reading>.makeStream()
        let reading = Task {
            for await reading in test.readings { telling.yield(reading) }
            telling.finish()
        }
        telling.onTermination = { _ in
            reading.cancel()
            Task { await test.close() }
        }
        try await test.open()
        return stream
    }

    func testCamera() async throws -> CameraTrial {
        let test = try opened().makeCameraTest()
        await cameraTest?.close()
        cameraTest = test
        let (notices, telling) = AsyncStream<MediaNotice>.makeStream()
        let reading = Task {
            for await notice in test.notices { telling.yield(notice) }
            telling.finish()
        }
        telling.onTermination = { _ in
            reading.cancel()
            Task { await test.close() }
        }
        try await test.open()
        return CameraTrial(picture: FeedSource(test.picture), notices: notices)
    }
}
