import MediaRules
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct DevicePickerTests {
    private let built = MediaDevice(id: "a", name: "Built-in")
    private let travel = MediaDevice(id: "b", name: "Travel")

    @Test func `the standard device is chosen unless the person chose another`() {
        let picker = DevicePicker(.camera, devices: [built, travel], chosen: nil)
        #expect(picker.entries.map(\.title) == ["System default", "Built-in", "Travel"])
        #expect(picker.selected == 0)
        #expect(DevicePicker(.camera, devices: [built, travel], chosen: travel).selected == 2)
    }

    @Test func `a device that has another id today is known by its name`() {
        let chosen = MediaDevice(id: "old", name: "Travel")
        let picker = DevicePicker(.camera, devices: [built, travel], chosen: chosen)
        #expect(picker.entries.count == 3)
        #expect(picker.selected == 2)
    }

    @Test func `the remembered device is listed while it is not there`() {
        let picker = DevicePicker(.microphone, devices: [built], chosen: travel)
        #expect(picker.entries.map(\.title) == ["System default", "Built-in", "Travel (not connected)"])
        #expect(picker.entries.last?.device == travel)
        #expect(picker.selected == 2)
        #expect(picker.subtitle.isEmpty)
    }

    @Test(arguments: [
        (DeviceKind.camera, "No camera was found."), (.microphone, "No microphone was found."),
        (.speaker, "No speaker was found."),
    ])
    func `a kind of which there is none says so`(_ kind: DeviceKind, _ sentence: String) {
        #expect(DevicePicker(kind, devices: [], chosen: nil).subtitle == sentence)
    }
}
