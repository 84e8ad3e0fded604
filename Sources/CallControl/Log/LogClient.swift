import Portal

/// The log of the running Parley, for other programs.
package struct LogClient: Sendable {
    private let bus: Bus
    private let owner: String

    /// Finds the Parley that runs; starts none.
    /// - Throws: ``ServiceError/notRunning``.
    package init(bus: Bus, name: String = ParleyService.name) async throws(ServiceError) {
        self.bus = bus
        owner = try await bus.owner(ofService: name)
    }

    /// Calls of the log before a number, newest first.
    ///
    /// - Parameters:
    ///   - limit: how many at most; no answer has more than 1 000.
    ///   - before: 0 for the newest.
    /// - Returns: The calls, and the number to go on before, 0 when there are no more.
    package func calls(
        _ query: LogQuery = LogQuery(), limit: Int, before: Int64 = 0
    ) async throws(ServiceError) -> (calls: [LogFacts], next: Int64) {
        let values = try await call(
            "List", [.dictionary(query.properties), .uint32(UInt32(clamping: limit)), .int64(before)])
        guard values.count == 2, let calls = values[0].members, let next = values[1].integer else {
            throw .unexpectedAnswer("calls")
        }
        return (calls.compactMap { $0.entries.map(LogFacts.init(properties:)) }, Int64(next))
    }

    /// Deletes calls by their numbers.
    package func delete(_ numbers: [Int64]) async throws(ServiceError) {
        _ = try await call("Delete", [.array(numbers.map(BusValue.int64), of: "x")])
    }

    /// Deletes all calls.
    package func deleteAll() async throws(ServiceError) { _ = try await call("DeleteAll", []) }

    private func call(_ method: String, _ arguments: [BusValue]) async throws(ServiceError) -> [BusValue] {
        do {
            return try await bus.call(
                BusMethod(
                    destination: owner, path: ParleyService.log, interface: BusInterface.callLog.name, name: method),
                arguments
            ).values
        } catch {
            throw ServiceError(error)
        }
    }
}
