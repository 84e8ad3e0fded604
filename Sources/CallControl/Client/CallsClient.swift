import Portal

/// The calls of the running Parley, for other programs. Calls are named by their objects' paths (``CallFacts/id``).
package struct CallsClient: Sendable {
    private let bus: Bus
    private let name: String
    private let owner: String

    /// Finds the Parley that runs; starts none. Another one that comes later is not meant.
    /// - Throws: ``ServiceError/notRunning``.
    package init(bus: Bus, name: String = ParleyService.name) async throws(ServiceError) {
        self.bus = bus
        self.name = name
        owner = try await bus.owner(ofService: name)
    }

    /// The calls there are, older ones first.
    package func calls() async throws(ServiceError) -> [CallFacts] { try await mirror().sortedCalls }

    /// Whether calls come in.
    package func reachability() async throws(ServiceError) -> Reachability {
        let values = try await call(
            ParleyService.calls, BusInterface.propertiesName, "Get",
            [.string(Reachability.interface), .string(Reachability.property)])
        guard let reachability = values.first?.string.flatMap(Reachability.init) else {
            throw .unexpectedAnswer(Reachability.property)
        }
        return reachability
    }

    /// Whether everybody who calls is told at once that the person is busy, by their choice.
    package func isBusy() async throws(ServiceError) -> Bool {
        let values = try await call(
            ParleyService.calls, BusInterface.propertiesName, "Get",
            [.string(Reachability.interface), .string(CallObjects.busy)])
        guard case .variant(.bool(let isBusy)) = values.first else { throw .unexpectedAnswer(CallObjects.busy) }
        return isBusy
    }

    /// Has everybody who calls told so, or no more.
    package func setBusy(_ isBusy: Bool) async throws(ServiceError) {
        _ = try await call(
            ParleyService.calls, BusInterface.propertiesName, "Set",
            [.string(Reachability.interface), .string(CallObjects.busy), .variant(.bool(isBusy))])
    }

    /// What there is, then what changes; it ends when that Parley ends.
    package func news() async throws(ServiceError) -> AsyncStream<CallNews> {
        let signals: AsyncStream<BusSignal>
        do {
            signals = try await bus.signals(ofAny: [
                BusSignalFilter(
                    sender: owner, path: ParleyService.calls, interface: BusInterface.objectManagerName),
                BusSignalFilter(sender: owner, interface: BusInterface.propertiesName, name: "PropertiesChanged"),
                BusSignalFilter(
                    sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", name: "NameOwnerChanged",
                    firstText: owner),
            ])
        } catch {
            throw ServiceError(error)
        }
        var mirror = try await mirror()
        let (stream, continuation) = AsyncStream<CallNews>.makeStream()
        for call in mirror.sortedCalls { continuation.yield(.call(call)) }
        let reachable: [String: BusValue] = [Reachability.property: .string(try await reachability().rawValue)]
        if let news = mirror.change(Reachability.interface, reachable, at: ParleyService.calls) {
            continuation.yield(news)
        }
        let following = Task { [mirror] in
            var mirror = mirror
            for await signal in signals {
                if signal.interface == "org.freedesktop.DBus" { break }
                if let news = mirror.receive(signal) { continuation.yield(news) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in following.cancel() }
        return stream
    }

    private func mirror() async throws(ServiceError) -> CallsMirror {
        let values = try await call(ParleyService.calls, BusInterface.objectManagerName, "GetManagedObjects")
        guard let objects = values.first else { throw .unexpectedAnswer("calls") }
        return try CallsMirror(managedObjects: objects)
    }

    // MARK: What can be done

    /// Calls a contact, named as there or by ``CallFacts/contact``; waits until the person has agreed, however long that takes.
    /// - Returns: the call's name.
    package func dial(_ contact: String, video: Bool) async throws(ServiceError) -> String {
        let values = try await call(
            ParleyService.calls, Reachability.interface, "Dial", [.string(contact), .bool(video)], timeout: .max)
        guard case .objectPath(let path) = values.first else { throw .unexpectedAnswer("call") }
        return path
    }

    /// Accepts a call that rings, with its own camera or with sound only.
    package func accept(_ id: String, camera: Bool) async throws(ServiceError) {
        try await perform("Accept", [.bool(camera)], on: id, timeout: .max)
    }

    /// Accepts a call that rings, and ends the one that the person is in.
    package func acceptAndEnd(_ id: String, camera: Bool) async throws(ServiceError) {
        try await perform("AcceptAndEnd", [.bool(camera)], on: id, timeout: .max)
    }

    /// Puts a call on hold.
    package func hold(_ id: String) async throws(ServiceError) { try await perform("Hold", on: id) }

    /// Goes on with a call on hold.
    package func resume(_ id: String) async throws(ServiceError) { try await perform("Resume", on: id) }

    /// Declines a call that rings.
    package func decline(_ id: String) async throws(ServiceError) { try await perform("Decline", on: id) }

    /// Lets a call ring no more there.
    package func ignore(_ id: String) async throws(ServiceError) { try await perform("Ignore", on: id) }

    /// Blocks whoever calls there.
    package func block(_ id: String) async throws(ServiceError) { try await perform("Block", on: id) }

    /// Ends a call that goes out or is on.
    package func hangUp(_ id: String) async throws(ServiceError) { try await perform("HangUp", on: id) }

    /// Turns the microphone on or off.
    package func setMicrophone(_ id: String, on isOn: Bool) async throws(ServiceError) {
        try await perform("SetMicrophone", [.bool(isOn)], on: id)
    }

    /// Turns the camera on or off.
    package func setCamera(_ id: String, on isOn: Bool) async throws(ServiceError) {
        try await perform("SetCamera", [.bool(isOn)], on: id)
    }

    private func perform(
        _ method: String, _ arguments: [BusValue] = [], on id: String, timeout: Int32? = nil
    ) async throws(ServiceError) {
        _ = try await call(id, CallFacts.interface, method, arguments, timeout: timeout)
    }

    private func call(
        _ path: String, _ interface: String, _ method: String, _ arguments: [BusValue] = [], timeout: Int32? = nil
    ) async throws(ServiceError) -> [BusValue] {
        do {
            return try await bus.call(
                BusMethod(destination: owner, path: path, interface: interface, name: method), arguments,
                timeout: timeout
            ).values
        } catch {
            throw ServiceError(error)
        }
    }
}
