import CGLib
import TestSupport
import Testing

@testable import Portal

@Suite(.timeLimit(.minutes(5))) struct BusValueTests {
    static let values: [BusValue] = [
        .bool(true), .byte(7), .int32(-5), .uint32(9), .int64(.min), .uint64(.max), .double(0.5), .string("Zoë"),
        .objectPath("/a/b"), .handle(0), .bytes([1, 2, 3]), .bytes([]), .array([], of: "(ua{sv})"),
        .array([.tuple([.uint32(42), .dictionary(["size": .tuple([.int32(640), .int32(480)])])])], of: "(ua{sv})"),
        .tuple([]), .dictionary([:]), .dictionary(["a": .bool(false), "b": .array([.string("x")], of: "s")]),
        .variant(.string("inner")), .array([], of: "{ss}"), .array([.variant(.bool(true))], of: "v"),
        .array(
            [
                .entry(
                    .objectPath("/a"),
                    .array([.entry(.string("i"), .dictionary(["p": .int32(1)]))], of: "{sa{sv}}"))
            ], of: "{oa{sa{sv}}}"),
    ]

    @Test(arguments: values) func `a value comes back as it was written`(_ value: BusValue) throws {
        let variant = g_variant_ref_sink(try value.makeVariant())
        defer { g_variant_unref(variant) }
        #expect(variant.flatMap { BusValue($0) } == value)
    }

    @Test(arguments: [
        BusValue.objectPath("no path"), .array([.bool(true)], of: "s"), .array([], of: "nonsense"),
        .tuple([.string("fine"), .objectPath("")]), .entry(.tuple([]), .bool(true)),
        .array([.entry(.string("key"), .bool(true))], of: "{ss}"),
    ])
    func `what D-Bus can't carry is an error`(_ value: BusValue) {
        #expect(throws: PortalError.notCarried) {
            _ = try value.makeVariant()
        }
    }

    @Test func `variants are looked into`() {
        #expect(BusValue.variant(.variant(.uint32(3))).integer == 3)
        #expect(BusValue.variant(.dictionary(["a": .bool(true)])).entries?["a"]?.bool == true)
        #expect(BusValue.uint64(.max).integer == nil)
        #expect(BusValue.string("1").integer == nil)
    }

    @Test func `kinds that have no name here are left out of a dictionary`() throws {
        let variant = g_variant_ref_sink(
            g_variant_parse(nil, "{'known': <true>, 'maybe': <@ms nothing>}", nil, nil, nil))
        defer { g_variant_unref(variant) }
        #expect(variant.flatMap { BusValue($0) } == .dictionary(["known": .bool(true)]))
    }
}
