import Logging
import Portal

/// Keeps screen and machine awake where only D-Bus can say so: Xfce 4.18 and screen savers of their own.
///
/// GTK's own inhibitor is the other half; desktops that know both count both. The desktop forgets it with the connection.
public actor AwakeKeeping {
    private struct Service: Hashable, Sendable {
        var name: String
        var path: String
        var interface: String

        /// Idle Inhibition Service (freedesktop.org draft) and the power manager's of the same shape.
        static let all = [
            Service(
                name: "org.freedesktop.PowerManagement", path: "/org/freedesktop/PowerManagement/Inhibit",
                interface: "org.freedesktop.PowerManagement.Inhibit"),
            Service(
                name: "org.freedesktop.ScreenSaver", path: "/org/freedesktop/ScreenSaver",
                interface: "org.freedesktop.ScreenSaver"),
        ]

        func method(_ method: String, of owner: String) -> BusMethod {
            BusMethod(destination: owner, path: path, interface: interface, name: method)
        }
    }

    /// What a service gave, and who it was then: after its restart the same number may be another program's.
    private struct Hold: Sendable {
        var owner: String
        var cookie: UInt32
    }

    private let bus: Bus
    private let application: String
    private let log = Logger(label: "session.awake")
    private var reason: String?
    private var isHeld = false
    private var holds: [Service: Hold] = [:]
    private var working: Task<Void, Never>?

    /// - Parameters:
    ///   - bus: the session bus.
    ///   - application: who asks, as the desktop may show it.
    public init(bus: Bus, application: String) {
        self.bus = bus
        self.application = application
    }

    /// Keeps awake for a reason that the desktop may show; nil lets go. Returns once the services have been told.
    public func set(_ reason: String?) async {
        self.reason = reason
        if working == nil { working = Task { await work() } }
        await working?.value
    }

    private func work() async {
        while isHeld != (reason != nil) {
            isHeld = reason != nil
            if let reason { await hold(reason) } else { await letGo() }
        }
        working = nil
    }

    private func hold(_ reason: String) async {
        await withTaskGroup { group in
            for service in Service.all {
                group.addTask { [self] in (service, await hold(service, reason)) }
            }
            for await (service, hold) in group { holds[service] = hold }
        }
    }

    private nonisolated func hold(_ service: Service, _ reason: String) async -> Hold? {
        // A service that isn't there is not to be started for this.
        guard let owner = try? await bus.owner(of: service.name), !owner.isEmpty else { return nil }
        do {
            // With GDBus's own patience: who grants it after we have given up would hold it for good.
            let reply = try await bus.call(
                service.method("Inhibit", of: owner), [.string(application), .string(reason)])
            guard let cookie = reply.values.first?.integer.flatMap(UInt32.init(exactly:)) else {
                throw PortalError.unexpectedAnswer("cookie")
            }
            return Hold(owner: owner, cookie: cookie)
        } catch {
            log.debug("\(service.name) does not keep awake: \(error)")
            return nil
        }
    }

    private func letGo() async {
        let holds = holds
        self.holds = [:]
        await withDiscardingTaskGroup { group in
            for (service, hold) in holds {
                group.addTask { [bus] in
                    _ = try? await bus.call(service.method("UnInhibit", of: hold.owner), [.uint32(hold.cookie)])
                }
            }
        }
    }
}
