import Portal

/// What programs of the session are started with by now, as systemd's manager of the session knows it: a service that was started
/// before the screen learns there how to reach it.
public enum SessionEnvironment {
    /// The variables of the session with these names; none where there is no such manager, or it hangs.
    public static func variables(_ names: Set<String>, on bus: Bus) async -> [String: String] {
        let service = "org.freedesktop.systemd1"
        // One that isn't there is not to be started for this.
        guard let owner = try? await bus.owner(of: service), !owner.isEmpty,
            let reply = try? await bus.call(
                BusMethod(
                    destination: owner, path: "/org/freedesktop/systemd1", interface: "org.freedesktop.DBus.Properties",
                    name: "Get"),
                [.string(service + ".Manager"), .string("Environment")], timeout: 1_000)
        else { return [:] }
        let lines = (reply.values.first?.members ?? []).compactMap(\.string)
        return lines.reduce(into: [:]) { variables, line in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, names.contains(String(parts[0])) else { return }
            variables[String(parts[0])] = String(parts[1])
        }
    }
}
