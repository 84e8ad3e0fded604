import CGLib
import TestSupport
import Testing

@testable import CallControl
@testable import Portal

/// Everything at random: whatever others call, nothing breaks, and each call gets one answer.
@Suite(.timeLimit(.minutes(5))) struct CallObjectsPropertyTests {
    private struct Chance {
        var generator: SeededGenerator

        mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

        mutating func one<Value>(_ values: [Value]) -> Value { values[number(values.count)] }

        mutating func flag() -> Bool { number(2) == 0 }

        mutating func facts() -> [CallFacts] {
            (0..<number(5)).map { _ in
                CallFacts(
                    id: "c\(number(5))", name: one(["", "Zoë", "\u{202E}a\n"]), isIncoming: flag(), isVideo: flag(),
                    isMicrophoneOn: flag(), isCameraOn: flag(), isEncrypted: flag(), since: Int64(number(3)),
                    state: one(CallFacts.State.allCases), endReason: one(["", "hungUp"]))
            }
        }

        mutating func value(_ depth: Int = 0) -> BusValue {
            switch number(depth > 2 ? 6 : 13) {
            case 0: .bool(flag())
            case 1: .string(one(["", "Zoë", CallFacts.interface, Reachability.interface, "Name", "Reachable"]))
            case 2: .int64(.min)
            case 3: .objectPath(path())
            case 4: .bytes([0, 255])
            case 5: .uint64(.max)
            case 6: .variant(value(depth + 1))
            case 7: .dictionary(["a": value(depth + 1)])
            case 8: .array([value(depth + 1)], of: "v")
            case 9:
                .array(
                    [.entry(flag() ? .objectPath(ParleyService.calls + "/1") : value(3), value(depth + 1))],
                    of: "{oa{sa{sv}}}")
            case 10: .array([.entry(.string(one([CallFacts.interface, "a.B"])), value(depth + 1))], of: "{sa{sv}}")
            case 11: .dictionary([one(["State", "Since", "Name", "Camera", "Reachable"]): value(depth + 1)])
            default: .tuple([value(depth + 1), value(depth + 1)])
            }
        }

        mutating func path() -> String {
            one([
                ParleyService.calls, "\(ParleyService.calls)/\(number(9))", ParleyService.calls + "/", "/",
                ParleyService.calls + "/99999999999999999999", ParleyService.calls + "/-1", ParleyService.path, "",
            ])
        }

        mutating func call() -> MethodCall {
            let interfaces = [
                BusInterface.calls, .call, .properties, .introspectable, .objectManager,
                BusInterface(name: "a.B", methods: [BusInterface.Method("C")]),
            ]
            let interface = one(interfaces)
            let method = one(one([interface, interface, one(interfaces)]).methods)
            var arguments = (0..<number(4)).map { _ in value() }
            if flag() {
                arguments = method.takes.map { argument in
                    switch argument.type {
                    case "b": .bool(flag())
                    case "s": .string(one(interfaces.map(\.name) + ["Name", "Zoë"]))
                    default: value()
                    }
                }
            }
            return MethodCall(
                path: path(), interface: interface.name, name: method.name,
                signature: flag() ? method.signature : one(["", "b", "s", "sb", "ssv", "(", "a{sv}"]),
                arguments: arguments)
        }

        /// A signal that is right but for its values, or not at all.
        mutating func signal() -> BusSignal {
            let call = "\(ParleyService.calls)/\(number(3))"
            let word = one(["State", "Name", "Camera", "Since"])
            let changed: BusValue = .dictionary([word: flag() ? .string(one(["active", "ended", "x"])) : value(2)])
            let shapes: [(String, [BusValue])] = [
                (
                    "InterfacesAdded",
                    [
                        .objectPath(call),
                        .array([.entry(.string(CallFacts.interface), changed)], of: "{sa{sv}}"),
                    ]
                ), ("InterfacesRemoved", [.objectPath(call), .array([], of: "s")]),
                ("PropertiesChanged", [.string(CallFacts.interface), changed, .array([], of: "s")]),
            ]
            let (name, values) = one(shapes)
            return BusSignal(
                sender: ":1.1", path: flag() ? call : path(),
                interface: name == "PropertiesChanged" ? BusInterface.propertiesName : BusInterface.objectManagerName,
                name: name, values: flag() ? values : (0..<number(4)).map { _ in value() })
        }

        mutating func outcome() -> CallOutcome {
            switch number(3) {
            case 0: .done
            case 1: .dialled(call: "c\(number(6))")
            default: .refused(one(CallRefusal.allCases))
            }
        }
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func `each call gets one answer and listeners know what there is`(_ seed: UInt64) throws {
        var chance = Chance(generator: SeededGenerator(seed: seed))
        var objects = CallObjects()
        var mirror = try CallsMirror(managedObjects: .array([], of: "{oa{sa{sv}}}"))
        var waiting: Set<CallObjects.Ticket> = []
        var numbers: Set<String> = []
        for ticket in 1...400 {
            var outputs: [CallObjects.Output]
            switch chance.number(12) {
            case 0, 1: outputs = objects.update(chance.facts(), chance.one(Reachability.allCases))
            case 2: outputs = objects.setEnabled(chance.number(4) > 0)
            case 3: outputs = objects.finish(chance.number(ticket) + 1, chance.outcome())
            default:
                waiting.insert(ticket)
                outputs = objects.receive(chance.call(), as: ticket)
                #expect(outputs.count == 1)
                if case .ask(ticket, _) = outputs.first { outputs = [] } else { #expect(answered(outputs) == [ticket]) }
            }
            for ticket in answered(outputs) { #expect(waiting.remove(ticket) != nil, "\(ticket) twice") }
            for case .emit(let signal) in outputs {
                let heard = BusSignal(
                    sender: ":1.1", path: signal.path, interface: signal.interface, name: signal.name,
                    values: signal.values)
                #expect(try BusValue.tuple(signal.values).isSendable())
                if signal.name == "InterfacesAdded", let path = signal.values.first?.string, objects.isEnabled {
                    numbers.insert(path)
                }
                // No signal is told for nothing, but for all that there is when it is turned on.
                let news = mirror.receive(heard)
                #expect(news != nil || signal.path == ParleyService.calls, "\(signal)")
            }
            let asked = MethodCall(
                path: ParleyService.calls, interface: BusInterface.objectManagerName, name: "GetManagedObjects")
            guard case .reply(_, let values) = objects.receive(asked, as: 0).first else {
                Issue.record("no objects")
                return
            }
            let found = try CallsMirror(managedObjects: try #require(values.first))
            #expect(found.calls == mirror.calls)
        }
        #expect(numbers.count > 5)
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func `a client understands or passes over whatever a service says`(_ seed: UInt64) throws {
        var chance = Chance(generator: SeededGenerator(seed: seed))
        var mirror = try CallsMirror(managedObjects: .array([], of: "v"))
        var changes = 0
        for _ in 0..<2_000 {
            do throws(ServiceError) {
                if chance.number(20) == 0 { mirror = try CallsMirror(managedObjects: chance.value()) }
            } catch {
                #expect(error == .unexpectedAnswer("calls"))
            }
            let before = mirror
            let signal = chance.signal()
            #expect((mirror.receive(signal) == nil) == (mirror == before))
            if mirror != before { changes += 1 }
        }
        #expect(changes > 0)
    }

    /// The tickets that have their answer.
    private func answered(_ outputs: [CallObjects.Output]) -> [CallObjects.Ticket] {
        outputs.compactMap { output in
            switch output {
            case .reply(let ticket, let values):
                #expect((try? BusValue.tuple(values).isSendable()) == true)
                return ticket
            case .refuse(let ticket, let failure):
                #expect(failure.name.contains(".Error."))
                return ticket
            case .ask, .emit: return nil
            }
        }
    }
}

extension BusValue {
    /// Whether D-Bus can carry it.
    fileprivate func isSendable() throws -> Bool {
        let variant = g_variant_ref_sink(try makeVariant())
        defer { g_variant_unref(variant) }
        return variant != nil
    }
}
