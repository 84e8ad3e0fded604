import CGLib
import GLibKit
import Synchronization
import Testing

/// A list model written in Swift: a class with an interface whose functions come back to the peer.
private final class Countdown: InstancePeer {
    static let live = Atomic(0)
    static let gclass: SubclassedType<Countdown> = .init(
        name: "ParleyTestCountdown", parent: FundamentalType.object.rawValue,
        interfaces: [
            ImplementedInterface(g_list_model_get_type()) { structure in
                let interface = structure.assumingMemoryBound(to: GListModelInterface.self)
                interface.pointee.get_item_type = { _ in FundamentalType.object.rawValue }
                interface.pointee.get_n_items = { model in
                    guard let model else { return 0 }
                    return gclass.peer(of: model).length
                }
                interface.pointee.get_item = { _, _ in nil }
            }
        ])

    var length: guint = 3

    required init(instance: UnsafeMutableRawPointer) {
        super.init(instance: instance)
        Self.live.add(1, ordering: .relaxed)
    }

    deinit { Self.live.subtract(1, ordering: .relaxed) }
}

/// A Swift class below a Swift class, overriding a class function.
private final class LoudApplication: InstancePeer {
    static let calls = Atomic(0)
    static let base: SubclassedType<InstancePeer> = .init(
        name: "ParleyTestQuiet", parent: g_application_get_type())
    static let gclass: SubclassedType<LoudApplication> = .init(name: "ParleyTestLoud", parent: base.type) { structure in
        let klass = structure.assumingMemoryBound(to: GApplicationClass.self)
        klass.pointee.activate = { application in
            guard let application else { return }
            _ = gclass.peer(of: UnsafeMutableRawPointer(application))
            calls.add(1, ordering: .relaxed)
        }
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct SubclassedTypeTests {
    @Test func `interface functions reach the peer of their instance`() {
        let one = Countdown.gclass.make()
        let two = Countdown.gclass.make()
        Countdown.gclass.peer(of: two).length = 7
        #expect(g_list_model_get_n_items(one.pointer()) == 3)
        #expect(g_list_model_get_n_items(two.pointer()) == 7)
    }

    @Test func `the peer lives exactly as long as the instance`() {
        let before = Countdown.live.load(ordering: .relaxed)
        do {
            let object = Countdown.gclass.make()
            let again = Object(retaining: object.pointer() as UnsafeMutableRawPointer)
            #expect(Countdown.live.load(ordering: .relaxed) == before + 1)
            #expect(again.typeName == "ParleyTestCountdown")
        }
        #expect(Countdown.live.load(ordering: .relaxed) == before)
    }

    @Test func `a subclass of a subclass has both peers`() throws {
        let object = LoudApplication.gclass.make()
        #expect(LoudApplication.base.peer(of: object) !== LoudApplication.gclass.peer(of: object))
        try object.emit("activate")
        #expect(LoudApplication.calls.load(ordering: .relaxed) == 1)
    }
}
