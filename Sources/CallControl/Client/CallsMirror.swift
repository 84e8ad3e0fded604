import Portal

/// What is new about the calls of the running Parley.
package enum CallNews: Equatable, Sendable {
    /// A call is there, or something about it has changed. Its ``CallFacts/id`` is its object's path.
    case call(CallFacts)
    /// The end of a call was seen; its object is gone.
    case removed(id: String)
    /// Whether calls come in.
    case reachability(Reachability)
}

/// The calls as another program knows them from signals. Pure.
struct CallsMirror: Equatable, Sendable {
    private(set) var calls: [String: CallFacts] = [:]
    private(set) var reachability: Reachability?

    /// What there is when one begins to listen: the answer of `GetManagedObjects`.
    /// - Throws: ``ServiceError/unexpectedAnswer(_:)``.
    init(managedObjects: BusValue) throws(ServiceError) {
        guard let objects = managedObjects.members else { throw .unexpectedAnswer("calls") }
        for case .entry(let path, let interfaces) in objects { add(path, interfaces) }
    }

    /// The calls, older ones first.
    var sortedCalls: [CallFacts] {
        calls.values.sorted { ($0.id.utf8.count, $0.id) < ($1.id.utf8.count, $1.id) }
    }

    /// Takes a signal of the service's; one that is not understood changes nothing.
    mutating func receive(_ signal: BusSignal) -> CallNews? {
        guard let first = signal.values.first else { return nil }
        switch (signal.interface, signal.name) {
        case (BusInterface.objectManagerName, "InterfacesAdded") where signal.values.count == 2:
            return add(first, signal.values[1])
        case (BusInterface.objectManagerName, "InterfacesRemoved"):
            guard let id = first.string, calls.removeValue(forKey: id) != nil else { return nil }
            return .removed(id: id)
        case (BusInterface.propertiesName, "PropertiesChanged") where signal.values.count == 3:
            guard let interface = first.string, let changed = signal.values[1].entries else { return nil }
            return change(interface, changed, at: signal.path)
        default: return nil
        }
    }

    /// Takes the calls' own properties.
    mutating func change(_ interface: String, _ changed: [String: BusValue], at path: String) -> CallNews? {
        if interface == Reachability.interface, path == ParleyService.calls {
            guard let word = changed[Reachability.property]?.string, let now = Reachability(rawValue: word),
                now != reachability
            else { return nil }
            reachability = now
            return .reachability(now)
        }
        guard interface == CallFacts.interface, var facts = calls[path] else { return nil }
        facts.apply(changed)
        guard facts != calls[path] else { return nil }
        calls[path] = facts
        return .call(facts)
    }

    @discardableResult
    private mutating func add(_ path: BusValue, _ interfaces: BusValue) -> CallNews? {
        guard let path = path.string, let interfaces = interfaces.members else { return nil }
        for case .entry(.string(CallFacts.interface), let properties) in interfaces {
            guard let properties = properties.entries else { continue }
            var facts = CallFacts(id: path)
            facts.apply(properties)
            guard facts != calls[path] else { return nil }
            calls[path] = facts
            return .call(facts)
        }
        return nil
    }
}
