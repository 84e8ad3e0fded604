import BaseKit
import Portal

/// Asks the application that has a name on the bus, as a second start of the program or a script does.
package struct ApplicationClient: Sendable {
    /// Whether it runs.
    package enum Status: Equatable, Sendable {
        case notRunning
        /// The number of its process.
        case running(processID: Int32)
    }

    /// The action that ends the service.
    package static let quitAction = "quit-service"

    private let bus: Bus
    private let name: String

    /// - Parameters:
    ///   - bus: the session bus.
    ///   - name: the application's.
    package init(bus: Bus, name: String = ParleyService.name) {
        self.bus = bus
        self.name = name
    }

    /// Whether somebody has the name. Starts nothing.
    package func status() async throws(ServiceError) -> Status {
        try await asking { () throws(PortalError) in
            try await bus.processID(of: name).map { .running(processID: $0) } ?? .notRunning
        }
    }

    /// Has the session start it, and waits until it is there. Does nothing when it runs.
    package func start() async throws(ServiceError) {
        // Also where nobody knows how to start it.
        guard try await owner() == nil else { return }
        do {
            try await bus.start(name)
        } catch .noPortal {
            throw .notInstalled
        } catch .failed(_, let message) {
            throw .startFailed(message)
        } catch {
            throw ServiceError(error)
        }
    }

    /// Has it show itself; the session starts it if it can.
    package func activate(token: String? = nil) async throws(ServiceError) {
        try await call("Activate", [Self.platform(token)])
    }

    /// Has it open links; the session starts it if it can.
    package func open(_ links: [String], token: String? = nil) async throws(ServiceError) {
        try await call("Open", [.array(links.map(BusValue.string), of: "s"), Self.platform(token)])
    }

    /// Has it do one of its actions; the session starts it if it can.
    package func activate(
        action: String, parameter: BusValue? = nil, token: String? = nil
    ) async throws(ServiceError) {
        try await call("ActivateAction", Self.arguments(action, parameter, token))
    }

    /// Tells it to end and waits until its name is gone.
    /// - Throws: `ServiceError.notRunning` when it does not run, `.stillRunning` when it does after `time`.
    package func stop(within time: Duration = .seconds(10)) async throws(ServiceError) {
        let changes = try await asking { () throws(PortalError) in try await bus.ownerChanges(of: name) }
        guard let owner = try await owner() else { throw .notRunning }
        do {
            try await call("ActivateAction", Self.arguments(Self.quitAction, nil, nil), of: owner)
        } catch .ended {
            // It was faster than its answer.
        }
        let going = Task { for await change in changes where change.values.last?.string != owner { return } }
        await wait(forEndOf: going, within: time)
        going.cancel()
        guard try await self.owner() != owner else { throw .stillRunning }
    }

    private func owner() async throws(ServiceError) -> String? {
        try await asking { () throws(PortalError) in try await bus.owner(of: name) }
    }

    private static func platform(_ token: String?) -> BusValue {
        .dictionary(token.map { ["activation-token": .string($0), "desktop-startup-id": .string($0)] } ?? [:])
    }

    private static func arguments(_ action: String, _ parameter: BusValue?, _ token: String?) -> [BusValue] {
        [.string(action), .array(parameter.map { [.variant($0)] } ?? [], of: "v"), platform(token)]
    }

    private func call(_ method: String, _ arguments: [BusValue], of owner: String? = nil) async throws(ServiceError) {
        let path = "/" + name.split(separator: ".").joined(separator: "/")
        try await asking { () throws(PortalError) in
            _ = try await bus.call(
                BusMethod(
                    destination: owner ?? name, path: path, interface: BusInterface.application.name, name: method),
                arguments)
        }
    }

    private func asking<Value: Sendable>(
        _ body: () async throws(PortalError) -> Value
    ) async throws(ServiceError) -> Value {
        do { return try await body() } catch { throw ServiceError(error) }
    }
}
