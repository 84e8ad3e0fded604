import Foundation
import Portal
import TestSupport
import Testing

@testable import CallControl

@Suite(.timeLimit(.minutes(5))) struct CallObjectsTests {
    private static let first = ParleyService.calls + "/1"
    private static let ringing = CallFacts(
        id: "a", name: "Zoë", contact: "z", isIncoming: true, isVideo: true, state: .ringing)

    /// The machine, told of these calls and reachable.
    private func objects(_ calls: [CallFacts] = [], _ reachability: Reachability = .yes) -> CallObjects {
        var objects = CallObjects()
        _ = objects.update(calls, reachability)
        return objects
    }

    private static func call(_ path: String, _ name: String, _ signature: String = "", _ arguments: BusValue...)
        -> MethodCall
    {
        let interface = path == ParleyService.calls ? Reachability.interface : CallFacts.interface
        return MethodCall(path: path, interface: interface, name: name, signature: signature, arguments: arguments)
    }

    private static func get(_ path: String, _ interface: String, _ name: String) -> MethodCall {
        MethodCall(
            path: path, interface: BusInterface.propertiesName, name: "Get", signature: "ss",
            arguments: [.string(interface), .string(name)])
    }

    /// The signals among these, by name, with what they carry after the object and interface.
    private func told(_ outputs: [CallObjects.Output]) -> [String] {
        outputs.compactMap { output in
            guard case .emit(let signal) = output else { return nil }
            guard signal.name == "PropertiesChanged", let changed = signal.values[1].entries else {
                return "\(signal.name) \(signal.values.first?.string ?? "?")"
            }
            return "\(signal.path) \(changed.keys.sorted())"
        }
    }

    /// The end of the name of the only error among these.
    private func error(_ outputs: [CallObjects.Output]) -> String? {
        guard case .refuse(_, let failure) = outputs.first, outputs.count == 1 else { return nil }
        return failure.name.split(separator: ".").last.map(String.init)
    }

    @Test func `a call comes, changes and goes`() {
        var objects = CallObjects()
        var call = Self.ringing
        #expect(told(objects.update([], .yes)) == ["/im/parley/Parley/calls [\"Reachable\"]"])
        #expect(told(objects.update([call], .yes)) == ["InterfacesAdded \(Self.first)"])
        (call.state, call.isMicrophoneOn) = (.connecting, true)
        #expect(told(objects.update([call], .yes)) == [#"\#(Self.first) ["Microphone", "State"]"#])
        #expect(told(objects.update([call], .yes)) == [])
        (call.state, call.endReason) = (.ended, "peerHungUp")
        #expect(told(objects.update([call], .yes)) == [#"\#(Self.first) ["EndReason", "State"]"#])
        #expect(told(objects.update([], .yes)) == ["InterfacesRemoved \(Self.first)"])
    }

    @Test func `what is told of a call is all that is known of it`() throws {
        var objects = CallObjects()
        var call = Self.ringing
        (call.since, call.isEncrypted, call.profile) = (1_700_000_000_123, true, "Work")
        let outputs = objects.update([call], .no)
        let properties: BusValue = .dictionary([
            "Name": .string("Zoë"), "Contact": .string("z"), "Incoming": .bool(true), "Video": .bool(true),
            "Microphone": .bool(false), "Camera": .bool(false), "Encrypted": .bool(true), "OnHold": .bool(false),
            "HeldByPeer": .bool(false), "Waiting": .bool(false),
            "Profile": .string("Work"), "Since": .int64(1_700_000_000_123), "State": .string("ringing"),
            "EndReason": .string(""),
        ])
        let interfaces: BusValue = .array([.entry(.string(CallFacts.interface), properties)], of: "{sa{sv}}")
        #expect(
            outputs == [
                .emit(
                    CallObjects.Signal(
                        path: ParleyService.calls, interface: BusInterface.objectManagerName, name: "InterfacesAdded",
                        values: [.objectPath(Self.first), interfaces]))
            ])
        let asked = MethodCall(
            path: Self.first, interface: BusInterface.propertiesName, name: "GetAll", signature: "s",
            arguments: [.string(CallFacts.interface)])
        #expect(objects.receive(asked, as: 1) == [.reply(1, [properties])])
        let managed = MethodCall(
            path: ParleyService.calls, interface: BusInterface.objectManagerName, name: "GetManagedObjects")
        #expect(
            objects.receive(managed, as: 2) == [
                .reply(2, [.array([.entry(.objectPath(Self.first), interfaces)], of: "{oa{sa{sv}}}")])
            ])
    }

    @Test func `no number is given twice`() {
        var objects = objects([Self.ringing])
        _ = objects.update([], .yes)
        #expect(told(objects.update([Self.ringing], .yes)) == ["InterfacesAdded \(ParleyService.calls)/2"])
        #expect(error(objects.receive(Self.call(Self.first, "HangUp"), as: 1)) == "NoSuchCall")
        #expect(error(objects.receive(Self.call(ParleyService.calls + "/3", "HangUp"), as: 1)) == "UnknownObject")
    }

    @Test func `a call that is told of no more has ended for all who listen`() {
        var objects = objects([Self.ringing])
        #expect(
            told(objects.update([], .yes)) == [#"\#(Self.first) ["State"]"#, "InterfacesRemoved \(Self.first)"])
    }

    @Test func `a call is dialled when the program says so, and not before`() {
        var objects = objects()
        let dial = Self.call(ParleyService.calls, "Dial", "sb", .string("Zoë"), .bool(true))
        #expect(objects.receive(dial, as: 7) == [.ask(7, .dial(contact: "Zoë", isVideo: true))])
        #expect(told(objects.update([CallFacts(id: "x")], .yes)) == ["InterfacesAdded \(Self.first)"])
        #expect(objects.finish(7, .dialled(call: "x")) == [.reply(7, [.objectPath(Self.first)])])
        #expect(objects.finish(7, .refused(.noDisplay)) == [])
    }

    @Test func `a call that is over before it is answered is no such call`() {
        var objects = objects()
        let dial = Self.call(ParleyService.calls, "Dial", "sb", .string("Zoë"), .bool(true))
        _ = objects.receive(dial, as: 1)
        #expect(error(objects.finish(1, .dialled(call: "unknown"))) == "NoSuchCall")
        _ = objects.update([Self.ringing], .yes)
        _ = objects.receive(Self.call(Self.first, "Accept", "b", .bool(true)), as: 2)
        let outputs = objects.update([], .yes)
        #expect(outputs.contains(.refuse(2, CallRefusal.noSuchCall.failure)))
        #expect(objects.finish(2, .done) == [])
    }

    @Test(arguments: ["Decline", "HangUp"])
    func `who asks for a call's end is told that it is done when the call goes first`(_ method: String) {
        var call = Self.ringing
        if method == "HangUp" { call.state = .active }
        var objects = objects([call])
        #expect(objects.receive(Self.call(Self.first, method), as: 1).count == 1)
        #expect(objects.update([], .yes).contains(.reply(1, [])))
        #expect(objects.finish(1, .done) == [])
    }

    @Test(arguments: CallRefusal.allCases) func `a refusal has its own error`(_ refusal: CallRefusal) {
        var objects = objects([Self.ringing])
        _ = objects.receive(Self.call(Self.first, "Decline"), as: 1)
        #expect(error(objects.finish(1, .refused(refusal))) == refusal.rawValue)
        #expect(ServiceError(.failed(name: refusal.failure.name, message: "m")) == .refused(refusal))
    }

    @Test func `what is asked for reaches the program by its own names`() {
        var objects = objects([Self.ringing])
        func request(_ call: MethodCall) -> CallRequest? {
            guard case .ask(_, let request) = objects.receive(call, as: 1).first else { return nil }
            _ = objects.finish(1, .done)
            return request
        }
        #expect(request(Self.call(Self.first, "Accept", "b", .bool(false))) == .accept(call: "a", withCamera: false))
        #expect(
            request(Self.call(Self.first, "AcceptAndEnd", "b", .bool(true)))
                == .acceptAndEnd(call: "a", withCamera: true))
        #expect(request(Self.call(Self.first, "Decline")) == .decline(call: "a"))
        #expect(request(Self.call(Self.first, "Ignore")) == .ignore(call: "a"))
        #expect(request(Self.call(Self.first, "Block")) == .block(call: "a"))
        var call = Self.ringing
        call.state = .active
        _ = objects.update([call], .yes)
        #expect(request(Self.call(Self.first, "HangUp")) == .hangUp(call: "a"))
        #expect(request(Self.call(Self.first, "Hold")) == .hold(call: "a"))
        #expect(request(Self.call(Self.first, "Resume")) == .resume(call: "a"))
        #expect(
            request(Self.call(Self.first, "SetMicrophone", "b", .bool(false)))
                == .setMicrophone(call: "a", isOn: false))
        #expect(request(Self.call(Self.first, "SetCamera", "b", .bool(true))) == .setCamera(call: "a", isOn: true))
    }

    @Test(arguments: CallFacts.State.allCases) func `each method has its time`(_ state: CallFacts.State) {
        var call = Self.ringing
        call.state = state
        for name in ["Accept", "Decline", "Ignore", "Block", "HangUp", "Hold", "Resume", "SetMicrophone", "SetCamera"] {
            var objects = objects([call])
            let isAnswer = ["Accept", "Decline", "Ignore", "Block"].contains(name)
            let isOfHold = ["Hold", "Resume"].contains(name)
            let isTime =
                isAnswer
                ? state == .ringing
                : isOfHold
                    ? state == .active || state == .reconnecting : state != .ringing && state != .ended
            let hasFlag = name == "Accept" || name.hasPrefix("Set")
            let outputs = objects.receive(
                MethodCall(
                    path: Self.first, interface: CallFacts.interface, name: name, signature: hasFlag ? "b" : "",
                    arguments: hasFlag ? [.bool(true)] : []), as: 1)
            #expect(error(outputs) == (isTime ? nil : "WrongState"), "\(name)")
        }
    }

    private static func set(_ property: String, _ value: BusValue) -> MethodCall {
        MethodCall(
            path: ParleyService.calls, interface: BusInterface.propertiesName, name: "Set", signature: "ssv",
            arguments: [.string(Reachability.interface), .string(property), value])
    }

    @Test(arguments: Reachability.allCases)
    func `who takes no calls is told of, and others say so at any time`(reachability: Reachability) {
        var objects = objects([], reachability)
        let asked = Self.get(ParleyService.calls, Reachability.interface, "Busy")
        #expect(objects.receive(asked, as: 1) == [.reply(1, [.variant(.bool(false))])])
        #expect(objects.receive(Self.set("Busy", .variant(.bool(true))), as: 2) == [.ask(2, .setBusy(true))])
        // Said only by the program.
        #expect(objects.receive(asked, as: 3) == [.reply(3, [.variant(.bool(false))])])
        #expect(told(objects.update(isBusy: true)) == [#"/im/parley/Parley/calls ["Busy"]"#])
        #expect(objects.finish(2, .done) == [.reply(2, [])])
        #expect(objects.receive(asked, as: 4) == [.reply(4, [.variant(.bool(true))])])
        #expect(objects.update(isBusy: true) == [])
    }

    @Test(arguments: [
        BusValue.bool(true), .variant(.string("true")), .variant(.int32(1)), .variant(.variant(.bool(true))),
    ])
    func `busy is a yes or a no and nothing else`(value: BusValue) {
        var objects = objects()
        #expect(error(objects.receive(Self.set("Busy", value), as: 1)) == "InvalidArgs")
    }

    @Test func `nothing else can be set, and nothing by whom the person does not let`() {
        var objects = objects([Self.ringing])
        #expect(error(objects.receive(Self.set("Reachable", .variant(.string("no"))), as: 1)) == "PropertyReadOnly")
        #expect(error(objects.receive(Self.set("Nothing", .variant(.bool(true))), as: 2)) == "UnknownProperty")
        let ofCall = MethodCall(
            path: Self.first, interface: BusInterface.propertiesName, name: "Set", signature: "ssv",
            arguments: [.string(CallFacts.interface), .string("Microphone"), .variant(.bool(true))])
        #expect(error(objects.receive(ofCall, as: 3)) == "PropertyReadOnly")
        _ = objects.setEnabled(false)
        #expect(error(objects.receive(Self.set("Busy", .variant(.bool(true))), as: 4)) == "Disabled")
        #expect(objects.update(isBusy: true) == [])
        #expect(told(objects.setEnabled(true)).first == #"/im/parley/Parley/calls ["Busy", "Reachable"]"#)
    }

    @Test func `nobody is called while nobody can be`() {
        let dial = Self.call(ParleyService.calls, "Dial", "sb", .string("Zoë"), .bool(true))
        for reachability in Reachability.allCases {
            var objects = objects([], reachability)
            let isPossible = [.yes, .connecting].contains(reachability)
            #expect(error(objects.receive(dial, as: 1)) == (isPossible ? nil : "NotReachable"), "\(reachability)")
            let asked = Self.get(ParleyService.calls, Reachability.interface, "Reachable")
            #expect(objects.receive(asked, as: 2) == [.reply(2, [.variant(.string(reachability.rawValue))])])
        }
    }

    @Test func `only so many requests wait for the person`() {
        var objects = objects([Self.ringing])
        let dial = Self.call(ParleyService.calls, "Dial", "sb", .string("Zoë"), .bool(true))
        for ticket in 1...CallObjects.maximumDials { #expect(error(objects.receive(dial, as: ticket)) == nil) }
        #expect(error(objects.receive(dial, as: 100)) == "LimitsExceeded")
        // What is asked of a call has its own room.
        let room = CallObjects.maximumPending - CallObjects.maximumDials
        for ticket in 0..<room {
            #expect(error(objects.receive(Self.call(Self.first, "Ignore"), as: 200 + ticket)) == nil)
        }
        #expect(error(objects.receive(Self.call(Self.first, "Ignore"), as: 101)) == "LimitsExceeded")
        _ = objects.finish(1, .refused(.cancelled))
        #expect(error(objects.receive(dial, as: 102)) == nil)
    }

    @Test func `what is no call of its own gets the error that D-Bus has for it`() {
        var objects = objects([Self.ringing])
        func error(_ call: MethodCall) -> String? { self.error(objects.receive(call, as: 1)) }
        #expect(error(Self.call(Self.first, "Accept")) == "InvalidArgs")
        #expect(error(Self.call(Self.first, "Accept", "s", .string("yes"))) == "InvalidArgs")
        #expect(error(Self.call(Self.first, "Accept", "b")) == "InvalidArgs")
        #expect(error(Self.call(Self.first, "Decline", "b", .bool(true))) == "InvalidArgs")
        #expect(error(Self.call(Self.first, "SetHeld", "b", .bool(true))) == "UnknownMethod")
        #expect(error(Self.call(ParleyService.calls, "Dial", "sb", .bool(true), .string("a"))) == "InvalidArgs")
        #expect(error(MethodCall(path: Self.first, interface: "a.B", name: "C")) == "UnknownInterface")
        #expect(error(MethodCall(path: Self.first + "/1", interface: "a.B", name: "C")) == "UnknownObject")
        let manager = BusInterface.objectManagerName
        #expect(
            error(MethodCall(path: Self.first, interface: manager, name: "GetManagedObjects")) == "UnknownInterface")
        #expect(error(Self.get(Self.first, CallFacts.interface, "Held")) == "UnknownProperty")
        #expect(error(Self.get(Self.first, "a.B", "Name")) == "UnknownInterface")
        let set = MethodCall(
            path: Self.first, interface: BusInterface.propertiesName, name: "Set", signature: "ssv",
            arguments: [.string(CallFacts.interface), .string("Name"), .variant(.string("Eve"))])
        #expect(error(set) == "PropertyReadOnly")
    }

    @Test func `one switch turns everything off and on`() {
        var objects = objects([Self.ringing])
        _ = objects.receive(Self.call(Self.first, "Accept", "b", .bool(true)), as: 1)
        let off = objects.setEnabled(false)
        #expect(off.first == .refuse(1, CallRefusal.disabled.failure))
        #expect(told(off) == ["InterfacesRemoved \(Self.first)"])
        #expect(objects.finish(1, .done) == [])
        // Nothing is told, and nothing found.
        var call = Self.ringing
        call.state = .active
        #expect(objects.update([call, CallFacts(id: "b")], .connecting) == [])
        let managed = MethodCall(
            path: ParleyService.calls, interface: BusInterface.objectManagerName, name: "GetManagedObjects")
        #expect(objects.receive(managed, as: 2) == [.reply(2, [.array([], of: "{oa{sa{sv}}}")])])
        let asked = MethodCall(
            path: ParleyService.calls, interface: BusInterface.introspectableName, name: "Introspect")
        guard case .reply(_, let values) = objects.receive(asked, as: 3).first else {
            Issue.record("no description")
            return
        }
        #expect(values.first?.string?.contains("<node name") == false)
        for call in [
            Self.call(ParleyService.calls, "Dial", "sb", .string("Zoë"), .bool(true)), Self.call(Self.first, "HangUp"),
            Self.get(Self.first, CallFacts.interface, "Name"),
            Self.get(ParleyService.calls, Reachability.interface, "Reachable"), Self.call("/elsewhere", "HangUp"),
        ] {
            #expect(error(objects.receive(call, as: 4)) == "Disabled")
        }
        #expect(
            told(objects.setEnabled(true)) == [
                #"/im/parley/Parley/calls ["Busy", "Reachable"]"#, "InterfacesAdded \(Self.first)",
                "InterfacesAdded \(ParleyService.calls)/2",
            ])
        #expect(objects.setEnabled(true) == [])
    }

    /// The interface in a description, without comments and spaces.
    private static func description(of interface: String, in xml: String) throws -> String {
        let plain = xml.replacing(try Regex("(?s)<!--.*?-->"), with: "")
        let begin = try #require(plain.range(of: #"<interface name="\#(interface)">"#)).lowerBound
        let end = try #require(plain.range(of: "</interface>", range: begin..<plain.endIndex)).upperBound
        return plain[begin..<end].split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    @Test(arguments: [(ParleyService.calls, "im.parley.Parley.Calls1"), (first, "im.parley.Parley.Call1")])
    func `what is installed is what an object says of itself`(_ path: String, _ interface: String) throws {
        var objects = objects([Self.ringing])
        let asked = MethodCall(path: path, interface: BusInterface.introspectableName, name: "Introspect")
        guard case .reply(_, let values) = objects.receive(asked, as: 1).first else {
            Issue.record("no description")
            return
        }
        let told = try #require(values.first?.string)
        let file = Vectors.repository.appendingPathComponent("data/dbus/\(interface).xml")
        let installed = try String(contentsOf: file, encoding: .utf8)
        #expect(
            try Self.description(of: interface, in: told) == Self.description(of: interface, in: installed))
        let meson = try String(contentsOf: Vectors.repository.appendingPathComponent("meson.build"), encoding: .utf8)
        #expect(meson.contains("dbus/@app_id@.\(interface.split(separator: ".").last ?? "").xml"))
        #expect(told.contains(#"<node name="1"/>"#) == (path == ParleyService.calls))
    }
}
