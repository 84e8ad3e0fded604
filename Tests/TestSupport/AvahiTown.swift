import Foundation
import Synchronization

/// Two machines in one network, each with a system bus and Avahi of its own: two network namespaces with a veth between them.
///
/// The buses are sockets in a folder, so that a test can use them from where it is.
public final class AvahiTown: Sendable {
    /// One of the machines.
    public struct Machine: Sendable {
        /// Such as `desk1.local`.
        public let hostName: String
        /// Its address of IPv4.
        public let address: String
        /// The address of its system bus.
        public let bus: String
        fileprivate let namespace: String
        fileprivate let number: Int

        /// The words before a command that make it run there.
        public var prefix: [String] {
            [
                "/usr/bin/env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DBUS_SYSTEM_BUS_ADDRESS=\(bus)", "ip", "netns",
                "exec", namespace,
            ]
        }
    }

    public let folder: TemporaryFolder
    public let first: Machine
    public let second: Machine
    private let buses: [ChildProcess]
    /// The Avahi of each machine, by its number.
    private let avahis: Mutex<[Int: ChildProcess]>

    /// Why there can't be one here; nil when there can.
    public static let obstacle: String? = {
        guard geteuid() == 0 else { return "Network namespaces need root." }
        for (program, package) in [("avahi-daemon", "avahi-daemon"), ("ip", "iproute2")] {
            let there = ["/usr/sbin/", "/usr/bin/", "/sbin/"].contains {
                FileManager.default.isExecutableFile(atPath: $0 + program)
            }
            guard there else { return "\(program) is not installed (package \(package))." }
        }
        let name = "parley-look-\(getpid())"
        guard NetworkCommand.run("ip netns add \(name)"),
            NetworkCommand.run("ip -n \(name) link add pa type veth peer name pb")
        else {
            NetworkCommand.run("ip netns del \(name)")
            return "Namespaces with a veth can't be made here."
        }
        NetworkCommand.run("ip netns del \(name)")
        return nil
    }()

    /// Starts them and waits until both have their names.
    public init() async throws {
        folder = try TemporaryFolder()
        let mark = "\(getpid())-\(UInt16.random(in: 0...UInt16.max))"
        let folder = folder
        func machine(_ number: Int) -> Machine {
            Machine(
                hostName: "desk\(number).local", address: "10.77.0.\(number)",
                bus: "unix:path=\(folder.file("bus\(number)"))", namespace: "parley-\(mark)-\(number)",
                number: number)
        }
        (first, second) = (machine(1), machine(2))
        guard NetworkCommand.run("ip netns add \(first.namespace)"),
            NetworkCommand.run("ip netns add \(second.namespace)"),
            NetworkCommand.run(
                "ip -n \(first.namespace) link add lan type veth peer name lan netns \(second.namespace)")
        else { throw Failure() }
        var buses: [ChildProcess] = []
        var avahis: [Int: ChildProcess] = [:]
        for machine in [first, second] {
            for words in ["link set lo up", "addr add \(machine.address)/24 dev lan", "link set lan up"] {
                guard NetworkCommand.run("ip -n \(machine.namespace) \(words)") else { throw Failure() }
            }
            buses.append(try Self.startBus(machine, folder))
            avahis[machine.number] = try Self.startAvahi(machine, folder)
        }
        self.buses = buses
        self.avahis = Mutex(avahis)
        for avahi in avahis.values { try await Self.waitForStart(of: avahi) }
    }

    deinit {
        for daemon in buses + avahis.withLock({ Array($0.values) }) { daemon.signal(SIGKILL) }
        for machine in [first, second] { NetworkCommand.run("ip netns del \(machine.namespace)") }
    }

    /// Ends a machine's Avahi as a crash does, and starts another one.
    public func restartAvahi(on machine: Machine) async throws {
        avahis.withLock { $0[machine.number] }?.signal(SIGKILL)
        let avahi = try Self.startAvahi(machine, folder)
        avahis.withLock { $0[machine.number] = avahi }
        try await Self.waitForStart(of: avahi)
    }

    private static func waitForStart(of avahi: ChildProcess) async throws {
        try await waitUntil("Avahi has its name", within: .seconds(30)) {
            avahi.errors.contains("Server startup complete")
        }
    }

    private struct Failure: Error {}

    private static func startBus(_ machine: Machine, _ folder: TemporaryFolder) throws -> ChildProcess {
        let file = folder.file("bus\(machine.number).conf")
        try Data(busSettings(address: machine.bus).utf8).write(to: URL(filePath: file))
        return try ChildProcess(
            "/usr/bin/dbus-daemon", ["--config-file=\(file)", "--nofork", "--nopidfile"], folder: folder.path)
    }

    /// Settings of a system bus at an address.
    public static func busSettings(address: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <listen>\(address)</listen>
          <policy context="default">
            <allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
          </policy>
        </busconfig>
        """
    }

    private static func startAvahi(_ machine: Machine, _ folder: TemporaryFolder) throws -> ChildProcess {
        let number = machine.number
        let file = folder.file("avahi\(number).conf")
        let settings = "[server]\nhost-name=desk\(number)\nuse-ipv4=yes\nuse-ipv6=yes\nenable-dbus=yes\n"
        try Data(settings.utf8).write(to: URL(filePath: file))
        // What it keeps in /run is its own there, and it may be before its bus.
        let command = """
            mount -t tmpfs none /run; until [ -S \(folder.file("bus\(number)")) ]; do sleep 0.05; done
            exec avahi-daemon --no-drop-root --no-chroot --no-rlimits -f \(file)
            """
        let words = machine.prefix + ["sh", "-c", command]
        return try ChildProcess(words[0], Array(words.dropFirst()), folder: folder.path)
    }
}
