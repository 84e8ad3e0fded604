import Cryptography
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct SoundServerListTests {
    /// One look that finds these speakers.
    private func look(_ list: inout SoundServerList, finding names: [String], standard: String? = nil) -> Bool {
        let isBegun = list.look()
        #expect(isBegun)
        list.note(standard: .speaker, standard)
        for name in names { list.note(.speaker, name, "The \(name)") }
        return list.end().isNews
    }

    @Test func `a device is known by the server's name and shown by the other`() throws {
        var list = SoundServerList()
        #expect(!list.isKnown)
        let isNews = look(&list, finding: ["alsa_output.usb"])
        #expect(isNews && list.isKnown)
        let device = try #require(list.devices.first)
        #expect(device.internalName == "alsa_output.usb" && device.name == "The alsa_output.usb")
        #expect(device.kind == .speaker && device.provider == .pulse && !device.isDefault)
    }

    @Test(arguments: [nil, ""] as [String?])
    func `one without a description is shown by its name`(description: String?) {
        var list = SoundServerList()
        _ = list.look()
        list.note(.microphone, "mic", description)
        _ = list.end()
        #expect(list.devices.map(\.name) == ["mic"])
    }

    @Test func `the server's choice is marked for its kind alone, and the old one no longer`() {
        var list = SoundServerList()
        _ = list.look()
        list.note(standard: .speaker, "b")
        for name in ["a", "b"] { list.note(.speaker, name, nil) }
        list.note(.microphone, "b", nil)
        _ = list.end()
        #expect(list.devices.map(\.isDefault) == [false, true, false])
        let isNews = look(&list, finding: ["a", "b"])
        #expect(isNews)
        #expect(list.devices.map(\.isDefault) == [false, false])
    }

    @Test func `the first look is news also when there is nothing, the same again is none`() {
        var list = SoundServerList()
        let news = [[], [], ["a"], ["a"], ["b"], []].map { look(&list, finding: $0) }
        #expect(news == [true, false, true, false, true, true])
    }

    @Test func `changes during a look make one more look due, however many`() {
        var list = SoundServerList()
        let begun = [list.look(), list.look(), list.look()]
        #expect(begun == [true, false, false])
        let first = list.end()
        #expect(first.isDue)
        let isBegun = list.look()
        #expect(isBegun)
        let second = list.end()
        #expect(!second.isDue)
    }

    @Test func `until a look is over the list stays as it was`() {
        var list = SoundServerList()
        _ = look(&list, finding: ["a"])
        _ = list.look()
        list.note(.speaker, "b", nil)
        #expect(list.devices.map(\.internalName) == ["a"])
    }

    @Test func `of devices without end so many are listed, each kind by itself`() {
        var list = SoundServerList()
        _ = list.look()
        for number in 0...SoundServerList.mostDevices { list.note(.speaker, "s\(number)", nil) }
        list.note(.microphone, "m", nil)
        _ = list.end()
        #expect(list.devices.count == SoundServerList.mostDevices + 1)
        #expect(list.devices.last?.internalName == "m")
    }
}
