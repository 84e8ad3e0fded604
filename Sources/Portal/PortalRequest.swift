import CGLib

extension DesktopPortal {
    /// Asks for something and waits for the answer, however long the person takes.
    ///
    /// `options` go last, with a token for the request added. Cancelling the task takes the request back.
    /// - Returns: The `results` of the answer.
    /// - Throws: ``PortalError``; `.denied` when the person said no, `.ended` when the desktop gave up.
    public func request(
        _ interface: String, _ method: String, _ arguments: [BusValue] = [], options: [String: BusValue] = [:]
    ) async throws(PortalError) -> [String: BusValue] {
        let token = Self.makeToken()
        var options = options
        options["handle_token"] = .string(token)
        let expected = Self.objectPath("request", sender: bus.uniqueName, token: token)
        // Before the call, as the answer may come at once.
        let answers = try await bus.signals(Self.response(expected, of: owner))
        let leaving = try await bus.signals(Self.ownerChanges)
        let reply = try await call(interface, method, arguments + [.dictionary(options)])
        guard let handle = reply.values.first?.string else { throw .unexpectedAnswer("handle") }
        // Portals before version 0.9 choose the path themselves.
        let own = handle == expected ? nil : try await bus.signals(Self.response(handle, of: owner))
        let outcome = await withTaskCancellationHandler {
            await Self.first([Self.answer(own ?? answers), Self.departure(leaving, of: owner)])
        } onCancel: {
            Task { [bus, owner] in
                _ = try? await bus.call(
                    BusMethod(
                        destination: owner, path: handle, interface: "org.freedesktop.portal.Request", name: "Close"))
            }
        }
        if Task.isCancelled { throw .cancelled }
        return try outcome.get()
    }

    typealias Outcome = Result<[String: BusValue], PortalError>

    private static func response(_ path: String, of owner: String) -> BusSignalFilter {
        BusSignalFilter(sender: owner, path: path, interface: "org.freedesktop.portal.Request", name: "Response")
    }

    static let ownerChanges = BusSignalFilter(
        sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", name: "NameOwnerChanged")

    /// The first answer of a request.
    private static func answer(_ signals: AsyncStream<BusSignal>) -> @Sendable () async -> Outcome {
        {
            for await signal in signals { return outcome(signal.values) }
            return .failure(.ended)
        }
    }

    /// What an answer means: 0 is yes, 1 no, 2 ended otherwise (`org.freedesktop.portal.Request.Response`).
    static func outcome(_ values: [BusValue]) -> Outcome {
        guard let code = values.first?.integer, values.count == 2 else {
            return .failure(.unexpectedAnswer("response"))
        }
        switch code {
        case 0: return values[1].entries.map { .success($0) } ?? .failure(.unexpectedAnswer("results"))
        case 1: return .failure(.denied)
        default: return .failure(.ended)
        }
    }

    /// Waits until the portal has left the bus.
    static func departure(_ signals: AsyncStream<BusSignal>, of owner: String) -> @Sendable () async -> Outcome {
        {
            for await signal in signals where signal.values.first?.string == owner {
                if signal.values.last?.string == "" { return .failure(.ended) }
            }
            return .failure(.ended)
        }
    }

    private static func first(_ waits: [@Sendable () async -> Outcome]) async -> Outcome {
        await withTaskGroup(of: Outcome.self) { group in
            for wait in waits { group.addTask { await wait() } }
            let first = await group.next() ?? .failure(.ended)
            group.cancelAll()
            return first
        }
    }
}
