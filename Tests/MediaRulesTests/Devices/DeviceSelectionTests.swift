import BaseKit
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct DeviceSelectionTests {
    private let desk = MediaDevice(id: "desk", name: "Desk")
    private let head = MediaDevice(id: "head", name: "Headset")
    private let room = MediaDevice(id: "room", name: "Room")

    @Test func `without a choice the standard one is used and then stays`() {
        var selection = DeviceSelection(.microphone, wanted: nil)
        #expect(selection.update([desk, head]) == .init(device: desk))
        #expect(selection.update([head, desk, room]) == nil)
        #expect(selection.current == desk)
    }

    @Test func `the choice is used, also by its name where its id is another one`() {
        var selection = DeviceSelection(.speaker, wanted: head)
        #expect(selection.update([desk, head]) == .init(device: head))
        var moved = DeviceSelection(.speaker, wanted: MediaDevice(id: "another port", name: "Headset"))
        #expect(moved.update([desk, head]) == .init(device: head))
    }

    @Test func `a choice that is not there is told, and used when it comes`() {
        var selection = DeviceSelection(.camera, wanted: head)
        #expect(
            selection.update([desk])
                == .init(device: desk, notice: .notFound(.camera, "Headset", instead: "Desk")))
        #expect(
            selection.update([desk, head])
                == .init(device: head, notice: .plugged(.camera, "Headset")))
    }

    @Test func `an unplugged device is replaced by the first one, and comes back when it was the choice`() {
        var selection = DeviceSelection(.microphone, wanted: head)
        _ = selection.update([desk, head])
        #expect(
            selection.update([desk])
                == .init(device: desk, notice: .unplugged(.microphone, "Headset", instead: "Desk")))
        #expect(selection.update([desk, head])?.device == head)
    }

    @Test func `a standard device that was replaced does not come back by itself`() {
        var selection = DeviceSelection(.microphone, wanted: nil)
        _ = selection.update([desk, head])
        #expect(selection.update([head])?.device == head)
        #expect(selection.update([desk, head]) == nil)
    }

    @Test func `the last device may go, and any may come`() {
        var selection = DeviceSelection(.camera, wanted: nil)
        _ = selection.update([desk])
        #expect(selection.update([]) == .init(device: nil, notice: .unplugged(.camera, "Desk", instead: nil)))
        #expect(selection.update([]) == nil)
        #expect(selection.update([room])?.device == room)
    }

    @Test func `no device at all is told once`() {
        var selection = DeviceSelection(.speaker, wanted: nil)
        #expect(selection.update([]) == .init(device: nil, notice: .missing(.speaker)))
        #expect(selection.update([]) == nil)
    }

    @Test func `a named device that is not there is not replaced`() {
        var selection = DeviceSelection(.camera, wanted: head, isStrict: true)
        #expect(selection.update([desk]) == .init(device: nil, notice: .notFound(.camera, "Headset", instead: nil)))
        #expect(selection.update([desk, room]) == nil)
        #expect(selection.update([desk, head])?.device == head)
        #expect(selection.update([desk])?.device == desk)
    }

    @Test func `choosing changes, and stays the choice`() {
        var selection = DeviceSelection(.speaker, wanted: nil)
        _ = selection.update([desk, head])
        #expect(selection.choose(head) == .other(.init(device: head)))
        #expect(selection.choose(head) == .same)
        #expect(selection.choose(room) == .missing(.notFound(.speaker, "Room", instead: nil)))
        #expect(selection.update([desk])?.device == desk)
        #expect(selection.update([desk, head])?.device == head)
        #expect(selection.choose(nil) == .other(.init(device: desk)))
    }

    @Test func `flip goes round`() {
        var selection = DeviceSelection(.camera, wanted: nil)
        _ = selection.update([desk, head, room])
        let rounds = (0..<4).map { _ in selection.next()?.device }
        #expect(rounds == [head, room, desk, head])
        var alone = DeviceSelection(.camera, wanted: nil)
        _ = alone.update([desk])
        #expect(alone.next() == nil)
    }

    @Test func `one that can't be opened is taken back, and left alone until it was plugged in again`() {
        var selection = DeviceSelection(.camera, wanted: desk)
        _ = selection.update([desk, head, room])
        #expect(selection.next()?.device == head)
        #expect(selection.takeBack() == .init(device: desk, notice: .stillUsed(.camera, "Desk")))
        #expect(selection.current == desk && selection.wanted == desk)
        // Going round leaves it out.
        #expect(selection.next()?.device == room)
        #expect(selection.next()?.device == desk)
        _ = selection.update([desk, room])
        _ = selection.update([desk, head, room])
        #expect(selection.next()?.device == head)
    }

    @Test func `a choice that came but can't be opened is not tried at each change, but when it is chosen`() {
        var selection = DeviceSelection(.microphone, wanted: head)
        _ = selection.update([desk])
        #expect(selection.update([desk, head])?.device == head)
        #expect(selection.takeBack().device == desk)
        #expect(selection.update([desk, head, room]) == nil)
        #expect(selection.choose(head) == .other(.init(device: head)))
    }

    @Test func `choosing another one does not bring back one that can't be opened`() {
        var selection = DeviceSelection(.camera, wanted: desk)
        _ = selection.update([desk, head, room])
        #expect(selection.next()?.device == head)
        _ = selection.takeBack()
        #expect(selection.choose(room) == .other(.init(device: room)))
        #expect(selection.next()?.device == desk)
        #expect(selection.next()?.device == room)
    }

    @Test func `without the one before there is none until another one comes`() {
        var selection = DeviceSelection(.speaker, wanted: nil)
        _ = selection.update([desk])
        #expect(selection.update([head])?.device == head)
        #expect(selection.takeBack() == .init(device: nil))
        #expect(selection.update([head]) == nil)
        #expect(selection.update([head, room])?.device == room)
    }

    private let start = Instant(sinceStart: .seconds(100))

    @Test func `one that stopped is opened again, and told once it is`() {
        var selection = DeviceSelection(.microphone, wanted: nil)
        _ = selection.update([desk, head])
        #expect(
            selection.stop(opened: start, now: start + DeviceSelection.patience)
                == .init(device: desk, notice: .stillUsed(.microphone, "Desk")))
        #expect(selection.current == desk)
    }

    @Test func `one that stops as soon as it is open is replaced, and left alone until it is plugged in again`() {
        var selection = DeviceSelection(.speaker, wanted: desk)
        _ = selection.update([desk, head])
        #expect(
            selection.stop(opened: start, now: start + .milliseconds(900))
                == .init(device: head, notice: .replaced(.speaker, "Desk", by: "Headset")))
        #expect(selection.update([desk, head, room]) == nil)
        _ = selection.update([head])
        #expect(selection.update([desk, head])?.device == desk)
    }

    @Test func `one after the other is tried until none is left`() {
        var selection = DeviceSelection(.microphone, wanted: head)
        _ = selection.update([desk, head, room])
        #expect(selection.replace() == .init(device: desk, notice: .replaced(.microphone, "Headset", by: "Desk")))
        #expect(selection.replace() == .init(device: room, notice: .replaced(.microphone, "Desk", by: "Room")))
        #expect(selection.replace() == .init(device: nil))
        #expect(selection.replace() == .init(device: nil))
        #expect(selection.stop(opened: start, now: start) == nil)
    }

    @Test func `once the server was started anew each is tried again, the choice first`() {
        var selection = DeviceSelection(.microphone, wanted: head)
        _ = selection.update([desk, head])
        _ = selection.replace()
        _ = selection.replace()
        #expect(selection.update([desk, head]) == nil)
        selection.forgive()
        #expect(selection.update([desk, head]) == .init(device: head, notice: .plugged(.microphone, "Headset")))
    }
}
