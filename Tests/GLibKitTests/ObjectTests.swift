import CGLib
import GLibKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct ObjectTests {
    @Test func `a reference keeps the object alive and releases it when dropped`() {
        let first = Fixture.cancellable()
        #expect(first.raw.pointee.ref_count == 1)
        do {
            let second = Object(retaining: first.pointer() as UnsafeMutableRawPointer)
            #expect(second == first)
            #expect(first.raw.pointee.ref_count == 2)
        }
        #expect(first.raw.pointee.ref_count == 1)
    }

    @Test func `knows its type and its parents`() {
        let object = Fixture.application()
        #expect(object.typeName == "GApplication")
        #expect(object.isA(g_application_get_type()))
        #expect(object.isA(g_action_group_get_type()))
        #expect(!object.isA(g_cancellable_get_type()))
    }

    @Test func `properties round trip through their own kinds`() {
        let application = Fixture.application()
        application[property: "application-id"] = "im.parley.Test"
        application[property: "inactivity-timeout"] = 1500
        application[property: "flags"] = 8
        #expect(application[property: "application-id"] == "im.parley.Test")
        #expect(application[property: "inactivity-timeout"] == 1500)
        #expect(application[property: "inactivity-timeout"] as UInt32? == 1500)
        #expect(application[property: "flags"] == 8)
        #expect(application[property: "is-registered"] == false)
    }

    @Test func `a missing property or another kind reads as nil`() {
        let action = Fixture.simpleAction("mute")
        #expect(action[property: "no-such-property"] as String? == nil)
        #expect(action[property: "name"] as Int? == nil)
        #expect(action[property: "name"] == "mute")
    }

    @Test func `a value that does not fit is refused`() {
        let value = Value(type: FundamentalType.int.rawValue)
        #expect(value.set(41))
        #expect(!value.set(Int(Int32.max) + 1))
        #expect(!value.set("text"))
        #expect(value.get(as: Int.self) == 41)
    }

    @Test func `objects travel through values retained`() throws {
        let value = Value(type: g_cancellable_get_type())
        do {
            let object = Fixture.cancellable()
            #expect(value.set(object))
            #expect(!value.set(Fixture.application()))
        }
        let back = try #require(value.object)
        #expect(back.typeName == "GCancellable")
        #expect(back.raw.pointee.ref_count == 2)
    }

    @Test func `boxed structures are copied`() throws {
        let bytes = Boxed(
            type: g_bytes_get_type(),
            adopting: UnsafeMutableRawPointer(try #require(g_bytes_new([UInt8(1), 2, 3], 3))))
        let value = Value(type: g_bytes_get_type())
        #expect(value.set(bytes))
        let copy = try #require(value.get(as: Boxed.self))
        #expect(g_bytes_get_size(copy.pointer()) == 3)
    }

    @Test func `string arrays round trip`() {
        let value = Value(type: g_strv_get_type())
        #expect(value.set(["one", "", "three"]))
        #expect(value.get(as: [String].self) == ["one", "", "three"])
    }
}
