import Foundation

/// A home network behind a router that forwards ports by choice: three network namespaces, the middle one with address translation and
/// firewall by nftables and with miniupnpd, the one outside with addresses that could be the Internet's.
public final class RouterTown: Sendable {
    /// A machine there.
    public enum Machine: String, Sendable, CaseIterable { case home, router, outside }

    /// What the router does.
    public struct Router: Sendable {
        /// Whether it speaks PCP and NAT-PMP.
        public var speaksPCP = true
        public var speaksUPnP = true
        /// Its own address towards the outside.
        public var address = RouterTown.publicAddress
        /// Whether its settings let machines at home open ports.
        public var allows = true

        public init() {}
    }

    /// The router's outside, and that of the machine there.
    public static let (publicAddress, outsideAddress) = ("20.30.40.1", "20.30.40.2")

    public let folder: TemporaryFolder
    private let mark: String
    private let daemon: ChildProcess

    /// Why there can't be one here; nil when there can.
    public static let obstacle: String? = {
        guard geteuid() == 0 else { return "Network namespaces need root." }
        for (program, package) in [("miniupnpd", "miniupnpd-nftables"), ("nft", "nftables"), ("ip", "iproute2")] {
            let there = ["/usr/sbin/", "/usr/bin/", "/sbin/"].contains {
                FileManager.default.isExecutableFile(atPath: $0 + program)
            }
            guard there else { return "\(program) is not installed (package \(package))." }
        }
        let name = "parley-look-\(getpid())"
        defer { NetworkCommand.run("ip netns del \(name)") }
        guard NetworkCommand.run("ip netns add \(name)"),
            NetworkCommand.run("ip netns exec \(name) nft add table inet look"),
            NetworkCommand.run(
                "ip netns exec \(name) nft add chain inet look nat { type nat hook prerouting priority 0 ; }")
        else { return "The kernel has no address translation by nftables in a namespace here." }
        return nil
    }()

    /// Builds it and waits until the router listens.
    public init(_ router: Router = Router()) async throws {
        folder = try TemporaryFolder()
        let mark = "\(getpid())-\(UInt16.random(in: 0...UInt16.max))"
        self.mark = mark
        func name(_ machine: Machine) -> String { "parley-\(machine)-\(mark)" }
        var commands: [String] = []
        for machine in Machine.allCases {
            commands += ["ip netns add \(name(machine))", "ip -n \(name(machine)) link set lo up"]
        }
        commands += [
            "ip -n \(name(.home)) link add lan type veth peer name lan netns \(name(.router))",
            "ip -n \(name(.router)) link add wan type veth peer name wan netns \(name(.outside))",
            "ip -n \(name(.home)) addr add 192.168.77.2/24 dev lan", "ip -n \(name(.home)) link set lan up",
            "ip -n \(name(.router)) addr add 192.168.77.1/24 dev lan", "ip -n \(name(.router)) link set lan up",
            "ip -n \(name(.router)) addr add \(router.address)/24 dev wan", "ip -n \(name(.router)) link set wan up",
            "ip -n \(name(.outside)) addr add \(Self.outsideAddress)/24 dev wan",
            "ip -n \(name(.outside)) link set wan up",
            "ip -n \(name(.home)) route add default via 192.168.77.1",
            "ip netns exec \(name(.router)) sysctl -qw net.ipv4.ip_forward=1",
        ]
        let (rules, settings) = (folder.file("rules"), folder.file("miniupnpd.conf"))
        try Data(Self.rules(router).utf8).write(to: URL(filePath: rules))
        try Data(Self.settings(router).utf8).write(to: URL(filePath: settings))
        commands.append("ip netns exec \(name(.router)) nft -f \(rules)")
        try NetworkCommand.run(all: commands)
        // What it keeps in /run is its own there.
        let words = [
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "ip", "netns", "exec", name(.router), "sh", "-c",
            "mount -t tmpfs none /run; exec miniupnpd -d -f \(settings)",
        ]
        let daemon = try ChildProcess("/usr/bin/env", words, folder: folder.path)
        self.daemon = daemon
        try await waitUntil("the router listens", within: .seconds(30)) { daemon.errors.contains("HTTP listening") }
    }

    deinit {
        daemon.signal(SIGKILL)
        for machine in Machine.allCases { NetworkCommand.run("ip netns del parley-\(machine)-\(mark)") }
    }

    /// Ends what the router answers with; what it forwards stays.
    public func silenceRouter() {
        daemon.signal(SIGKILL)
        _ = daemon.waitForEnd()
    }

    /// Has another firewall let nothing in from now on.
    public func shield() {
        NetworkCommand.run(
            "ip netns exec parley-\(Machine.router)-\(mark) nft insert rule inet filter forward iifname wan ct state new drop"
        )
    }

    /// The words before a command that make it run on a machine.
    public func prefix(_ machine: Machine) -> [String] {
        [
            "/usr/bin/env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere", "ip",
            "netns", "exec", "parley-\(machine)-\(mark)",
        ]
    }

    /// What the router forwards: the rules that miniupnpd has made.
    public func forwards(port: UInt16) throws -> Bool {
        let words = prefix(.router) + ["nft", "list", "chain", "inet", "nat", "prerouting_miniupnpd"]
        let process = try ChildProcess(words[0], Array(words.dropFirst()), folder: folder.path)
        _ = process.waitForEnd()
        return process.lines.contains { $0.contains("dport \(port) dnat") }
    }

    private static func rules(_ router: Router) -> String {
        """
        table inet filter {
            chain forward {
                type filter hook forward priority 0; policy drop;
                jump miniupnpd
                iifname "lan" accept
                ct state established,related accept
            }
            chain miniupnpd {
            }
        }
        table inet nat {
            chain prerouting {
                type nat hook prerouting priority -100; policy accept;
                jump prerouting_miniupnpd
            }
            chain postrouting {
                type nat hook postrouting priority 100; policy accept;
                jump postrouting_miniupnpd
                oifname "wan" masquerade
            }
            chain prerouting_miniupnpd {
            }
            chain postrouting_miniupnpd {
            }
        }

        """
    }

    private static func settings(_ router: Router) -> String {
        """
        ext_ifname=wan
        listening_ip=lan
        enable_natpmp=\(router.speaksPCP ? "yes" : "no")
        enable_upnp=\(router.speaksUPnP ? "yes" : "no")
        secure_mode=yes
        uuid=00000000-0000-0000-0000-000000000001
        upnp_table_name=filter
        upnp_nat_table_name=nat
        upnp_forward_chain=miniupnpd
        upnp_nat_chain=prerouting_miniupnpd
        upnp_nat_postrouting_chain=postrouting_miniupnpd
        \(router.allows ? "allow 1024-65535 192.168.77.0/24 1024-65535" : "")
        deny 0-65535 0.0.0.0/0 0-65535

        """
    }
}
