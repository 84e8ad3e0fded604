import Portal

/// The calls as other programs find them on the bus: an object manager, and an object for each call.
///
/// Pure. What the program knows of its calls goes in, and so do the calls that others make to the objects; replies, signals and
/// requests to the program come out. A call's object stands as long as the program tells of the call, and its number is never
/// given again.
struct CallObjects: Sendable {
    /// What stands for a method call until it is answered; whoever passes it in chooses it.
    typealias Ticket = Int

    /// What is to be done, in order.
    enum Output: Equatable, Sendable {
        /// Answer a call.
        case reply(Ticket, [BusValue])
        /// Answer a call with an error.
        case refuse(Ticket, BusFailure)
        /// Have the program do something; its outcome goes to ``CallObjects/finish(_:_:)``.
        case ask(Ticket, CallRequest)
        /// Tell all who listen.
        case emit(Signal)
    }

    /// A signal of one of the objects.
    struct Signal: Equatable, Sendable {
        /// The object.
        var path: String
        /// Its interface.
        var interface: String
        /// Its name.
        var name: String
        /// What it carries.
        var values: [BusValue]
    }

    private struct Entry {
        var number: Int
        var facts: CallFacts
    }

    /// How many requests of others may wait for the program at a time, and how many of them for the person to agree to a new call.
    static let (maximumPending, maximumDials) = (64, 4)
    /// The property that says whether the person is busy.
    static let busy = "Busy"

    /// Whether others may control calls, or hear of them.
    private(set) var isEnabled: Bool
    private var entries: [String: Entry] = [:]
    private var next = 1
    private var reachability = Reachability.no
    private var isBusy = false
    private var pending: [Ticket: CallRequest] = [:]

    /// No calls, and not reachable.
    init(isEnabled: Bool = true) { self.isEnabled = isEnabled }

    // MARK: What the program tells

    /// Takes what there is now. A call that has ended stays among them until its end was seen.
    mutating func update(_ calls: [CallFacts], _ reachability: Reachability) -> [Output] {
        var outputs: [Output] = []
        var found: Set<String> = []
        for facts in calls where found.insert(facts.id).inserted { outputs += update(facts) }
        for entry in sortedEntries where !found.contains(entry.facts.id) { outputs += remove(entry) }
        if reachability != self.reachability {
            self.reachability = reachability
            let changed: [String: BusValue] = [Reachability.property: .string(reachability.rawValue)]
            outputs += emit(Self.changed(ParleyService.calls, Reachability.interface, changed))
        }
        return outputs
    }

    /// Takes whether everybody who calls is told that the person is busy, by their choice.
    mutating func update(isBusy: Bool) -> [Output] {
        guard isBusy != self.isBusy else { return [] }
        self.isBusy = isBusy
        return emit(Self.changed(ParleyService.calls, Reachability.interface, [Self.busy: .bool(isBusy)]))
    }

    private mutating func update(_ facts: CallFacts) -> [Output] {
        guard let entry = entries[facts.id] else {
            let entry = Entry(number: next, facts: facts)
            next += 1
            entries[facts.id] = entry
            return emit(Self.added(entry))
        }
        entries[facts.id]?.facts = facts
        let before = entry.facts.properties
        let changed = facts.properties.filter { before[$0.key] != $0.value }
        return changed.isEmpty ? [] : emit(Self.changed(Self.path(entry), CallFacts.interface, changed))
    }

    /// A call that the program no longer tells of; nobody is left to think that it goes on.
    private mutating func remove(_ entry: Entry) -> [Output] {
        var outputs: [Output] = []
        if entry.facts.state != .ended {
            var facts = entry.facts
            facts.state = .ended
            outputs += update(facts)
        }
        entries[entry.facts.id] = nil
        let waiting = pending.filter { $0.value.call == entry.facts.id }.sorted { $0.key < $1.key }
        // Who asked for its end has it, even if the call goes before the program says that it has done so.
        for (ticket, request) in waiting {
            outputs += finish(ticket, request.asksForEnd ? .done : .refused(.noSuchCall))
        }
        return outputs + emit(Self.removed(entry))
    }

    /// Lets others control calls, or not. What waits is refused, and the calls come or go for those who listen.
    mutating func setEnabled(_ isEnabled: Bool) -> [Output] {
        guard isEnabled != self.isEnabled else { return [] }
        guard isEnabled else {
            let refusals = pending.keys.sorted().map { Output.refuse($0, CallRefusal.disabled.failure) }
            pending = [:]
            let signals = sortedEntries.flatMap { emit(Self.removed($0)) }
            self.isEnabled = false
            return refusals + signals
        }
        self.isEnabled = true
        return emit(Self.changed(ParleyService.calls, Reachability.interface, properties))
            + sortedEntries.flatMap { emit(Self.added($0)) }
    }

    /// Answers a call with what became of its request; does nothing when it has its answer.
    mutating func finish(_ ticket: Ticket, _ outcome: CallOutcome) -> [Output] {
        guard let request = pending.removeValue(forKey: ticket) else { return [] }
        switch (outcome, request) {
        case (.refused(let refusal), _): return [.refuse(ticket, refusal.failure)]
        case (.dialled(let call), .dial):
            guard let entry = entries[call] else { return [.refuse(ticket, CallRefusal.noSuchCall.failure)] }
            return [.reply(ticket, [.objectPath(Self.path(entry))])]
        case (.done, .dial): return [.refuse(ticket, CallRefusal.noSuchCall.failure)]
        case (.done, _), (.dialled, _): return [.reply(ticket, [])]
        }
    }

    // MARK: What others call

    /// Answers a method call to one of the objects, now or once the program has done what is asked for. The ticket must not be
    /// that of a call which waits.
    mutating func receive(_ call: MethodCall, as ticket: Ticket) -> [Output] {
        do throws(BusFailure) {
            return [try answer(call, ticket)]
        } catch {
            return [.refuse(ticket, error)]
        }
    }

    private mutating func answer(_ call: MethodCall, _ ticket: Ticket) throws(BusFailure) -> Output {
        let isRoot = call.path == ParleyService.calls
        let entry = isRoot ? nil : sortedEntries.first { Self.path($0) == call.path }
        let isOpen =
            isRoot && [BusInterface.introspectableName, BusInterface.objectManagerName].contains(call.interface)
        guard isEnabled || isOpen else { throw CallRefusal.disabled.failure }
        guard isRoot || entry != nil else {
            // Who calls a call that is no more is told so; other paths were never there.
            throw isNumbered(call) ? CallRefusal.noSuchCall.failure : .unknownObject(call.path)
        }
        if let values = try (entry.map(Self.object) ?? root).answer(call) { return .reply(ticket, values) }
        if call.interface == BusInterface.objectManagerName { return .reply(ticket, [managedObjects]) }
        let request = try Self.request(call, about: entry?.facts.id)
        if let entry, !request.fits(entry.facts.state) { throw CallRefusal.wrongState.failure }
        if request.isDial, [.locked, .no].contains(reachability) { throw CallRefusal.notReachable.failure }
        let dials = pending.values.count { $0.isDial }
        guard pending.count < Self.maximumPending, !request.isDial || dials < Self.maximumDials else {
            throw .tooMany
        }
        pending[ticket] = request
        return .ask(ticket, request)
    }

    private func isNumbered(_ call: MethodCall) -> Bool {
        guard call.path.hasPrefix(ParleyService.calls + "/"), call.interface == CallFacts.interface,
            let number = Int(call.path.dropFirst(ParleyService.calls.count + 1))
        else { return false }
        return (1..<next).contains(number)
    }

    private static func request(_ call: MethodCall, about id: String?) throws(BusFailure) -> CallRequest {
        if call.interface == BusInterface.propertiesName {
            guard id == nil, case .variant(.bool(let isBusy)) = call.arguments.last else {
                throw .invalidArguments(call.name)
            }
            return .setBusy(isBusy)
        }
        let flag = call.arguments.last?.bool
        switch (call.name, id, flag) {
        case ("Dial", nil, let isVideo?):
            guard let contact = call.arguments.first?.string else { throw .invalidArguments(call.name) }
            return .dial(contact: contact, isVideo: isVideo)
        case ("Accept", let id?, let withCamera?): return .accept(call: id, withCamera: withCamera)
        case ("AcceptAndEnd", let id?, let withCamera?): return .acceptAndEnd(call: id, withCamera: withCamera)
        case ("Hold", let id?, _): return .hold(call: id)
        case ("Resume", let id?, _): return .resume(call: id)
        case ("Decline", let id?, _): return .decline(call: id)
        case ("Ignore", let id?, _): return .ignore(call: id)
        case ("Block", let id?, _): return .block(call: id)
        case ("HangUp", let id?, _): return .hangUp(call: id)
        case ("SetMicrophone", let id?, let isOn?): return .setMicrophone(call: id, isOn: isOn)
        case ("SetCamera", let id?, let isOn?): return .setCamera(call: id, isOn: isOn)
        default: throw .invalidArguments(call.name)
        }
    }

    // MARK: The objects

    private var sortedEntries: [Entry] { entries.values.sorted { $0.number < $1.number } }

    private var root: BusObject {
        BusObject(
            facets: [
                BusObject.Facet(interface: .calls, properties: properties),
                BusObject.Facet(interface: .objectManager),
            ], children: isEnabled ? sortedEntries.map { String($0.number) } : [])
    }

    private var properties: [String: BusValue] {
        [Reachability.property: .string(reachability.rawValue), Self.busy: .bool(isBusy)]
    }

    private static func object(_ entry: Entry) -> BusObject {
        BusObject(facets: [BusObject.Facet(interface: .call, properties: entry.facts.properties)])
    }

    private static func path(_ entry: Entry) -> String { "\(ParleyService.calls)/\(entry.number)" }

    /// `a{sa{sv}}`: the interfaces of a call with their properties.
    private static func interfaces(_ entry: Entry) -> BusValue {
        .array(
            [.entry(.string(CallFacts.interface), .dictionary(entry.facts.properties))], of: "{sa{sv}}")
    }

    private var managedObjects: BusValue {
        let entries = isEnabled ? sortedEntries : []
        return .array(
            entries.map { .entry(.objectPath(Self.path($0)), Self.interfaces($0)) }, of: "{oa{sa{sv}}}")
    }

    // MARK: Signals

    private func emit(_ signal: Signal) -> [Output] { isEnabled ? [.emit(signal)] : [] }

    private static func changed(_ path: String, _ interface: String, _ changed: [String: BusValue]) -> Signal {
        Signal(
            path: path, interface: BusInterface.propertiesName, name: "PropertiesChanged",
            values: [.string(interface), .dictionary(changed), .array([], of: "s")])
    }

    private static func added(_ entry: Entry) -> Signal {
        Signal(
            path: ParleyService.calls, interface: BusInterface.objectManagerName, name: "InterfacesAdded",
            values: [.objectPath(path(entry)), interfaces(entry)])
    }

    private static func removed(_ entry: Entry) -> Signal {
        Signal(
            path: ParleyService.calls, interface: BusInterface.objectManagerName, name: "InterfacesRemoved",
            values: [.objectPath(path(entry)), .array([.string(CallFacts.interface)], of: "s")])
    }
}

// Their descriptions are also in data/dbus.
extension BusInterface {
    static let calls = BusInterface(
        name: Reachability.interface,
        methods: [
            Method(
                "Dial", takes: [Argument("contact", "s"), Argument("video", "b")], gives: [Argument("call", "o")])
        ],
        properties: [Argument(Reachability.property, "s"), Argument(CallObjects.busy, "b", isWritable: true)])

    static let call = BusInterface(
        name: CallFacts.interface,
        methods: [
            Method("Accept", takes: [Argument("camera", "b")]),
            Method("AcceptAndEnd", takes: [Argument("camera", "b")]), Method("Decline"), Method("Ignore"),
            Method("Block"),
            Method("HangUp"), Method("Hold"), Method("Resume"),
            Method("SetMicrophone", takes: [Argument("on", "b")]), Method("SetCamera", takes: [Argument("on", "b")]),
        ],
        properties: [
            Argument("Name", "s"), Argument("Contact", "s"), Argument("Incoming", "b"), Argument("Video", "b"),
            Argument("Microphone", "b"), Argument("Camera", "b"), Argument("Encrypted", "b"), Argument("OnHold", "b"),
            Argument("HeldByPeer", "b"), Argument("Waiting", "b"), Argument("Profile", "s"), Argument("Since", "x"),
            Argument("State", "s"), Argument("EndReason", "s"),
        ])
}
