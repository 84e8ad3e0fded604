import Portal
import Testing

@testable import CallControl

@Suite(.timeLimit(.minutes(5))) struct ApplicationServerTests {
    private let server = ApplicationServer()

    private func call(_ name: String, _ signature: String, _ arguments: [BusValue]) -> MethodCall {
        MethodCall(
            path: ParleyService.path, interface: "org.freedesktop.Application", name: name, signature: signature,
            arguments: arguments)
    }

    private func error(of call: MethodCall) -> String? {
        do throws(BusFailure) {
            _ = try server.receive(call)
            return nil
        } catch {
            return error.name.hasPrefix("org.freedesktop.DBus.Error.")
                ? String(error.name.dropFirst("org.freedesktop.DBus.Error.".count)) : error.name
        }
    }

    @Test func `the application is asked to show itself`() throws {
        let token: BusValue = .dictionary(["activation-token": .string("new"), "desktop-startup-id": .string("old")])
        #expect(try server.receive(call("Activate", "a{sv}", [token])).request == .activate(token: "new"))
        let old: BusValue = .dictionary(["desktop-startup-id": .string("old"), "other": .bool(true)])
        #expect(try server.receive(call("Activate", "a{sv}", [old])).request == .activate(token: "old"))
        #expect(try server.receive(call("Activate", "a{sv}", [.dictionary([:])])).request == .activate(token: nil))
    }

    @Test func `links arrive as they were given`() throws {
        let links = ["simplex:/invitation#/?v=2", "", "no link"]
        let arguments: [BusValue] = [.array(links.map(BusValue.string), of: "s"), .dictionary([:])]
        #expect(try server.receive(call("Open", "asa{sv}", arguments)).request == .open(links, token: nil))
    }

    @Test func `an action may have a parameter`() throws {
        let platform: BusValue = .dictionary(["activation-token": .string("t")])
        func request(_ parameters: [BusValue]) throws -> ApplicationRequest? {
            try server.receive(
                call("ActivateAction", "sava{sv}", [.string("call-back"), .array(parameters, of: "v"), platform])
            ).request
        }
        #expect(try request([]) == .action("call-back", parameter: nil, token: "t"))
        #expect(
            try request([.variant(.string("Zoë"))]) == .action("call-back", parameter: .string("Zoë"), token: "t"))
        #expect(throws: BusFailure.invalidArguments("ActivateAction")) {
            _ = try request([.variant(.bool(true)), .variant(.bool(true))])
        }
    }

    @Test(arguments: ["", "a\nb", "ü", String(repeating: "x", count: 257)])
    func `a token that is no short plain text is none`(_ token: String) throws {
        let platform: BusValue = .dictionary(["activation-token": .string(token), "desktop-startup-id": .uint32(7)])
        #expect(try server.receive(call("Activate", "a{sv}", [platform])).request == .activate(token: nil))
    }

    @Test func `what is no call of its own gets the error that D-Bus has for it`() {
        #expect(error(of: call("Activate", "", [])) == "InvalidArgs")
        #expect(error(of: call("Activate", "a{sv}", [])) == "InvalidArgs")
        #expect(error(of: call("Activate", "a{ss}", [.dictionary([:])])) == "InvalidArgs")
        #expect(error(of: call("Open", "asa{sv}", [.string("x"), .dictionary([:])])) == "InvalidArgs")
        #expect(error(of: call("Raise", "", [])) == "UnknownMethod")
        #expect(error(of: MethodCall(path: ParleyService.path, interface: "a.B", name: "C")) == "UnknownInterface")
        #expect(error(of: MethodCall(path: "/im/parley/Parley/x", interface: "a.B", name: "C")) == "UnknownObject")
        let interface: [BusValue] = [.string("org.freedesktop.Application"), .string("Name")]
        #expect(
            error(
                of: MethodCall(
                    path: ParleyService.path, interface: "org.freedesktop.DBus.Properties", name: "Get",
                    signature: "ss", arguments: interface)) == "UnknownProperty")
    }

    @Test func `it tells what it is`() throws {
        let answer = try server.receive(
            MethodCall(
                path: ParleyService.path, interface: "org.freedesktop.DBus.Introspectable", name: "Introspect"))
        let xml = try #require(answer.values.first?.string)
        #expect(answer.request == nil)
        #expect(xml.contains(#"<interface name="org.freedesktop.Application">"#))
        #expect(xml.contains(#"<arg name="parameter" type="av" direction="in"/>"#))
        #expect(xml.contains(#"<node name="calls"/>"#) && xml.contains(#"<node name="log"/>"#))
    }
}
