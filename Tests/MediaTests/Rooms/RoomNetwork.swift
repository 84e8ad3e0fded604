import Foundation
import TestSupport

/// A network of a call server's own, which this process reaches over an interface that can lose packets.
final class RoomNetwork: Sendable {
    /// Why there can't be one here; nil when there can.
    static let obstacle: String? = {
        guard geteuid() == 0 else { return "Network namespaces need root." }
        for (path, package) in [("/usr/sbin/nft", "nftables"), ("/usr/sbin/ip", "iproute2")]
        where !FileManager.default.isExecutableFile(atPath: path) {
            return "\(path) is not installed (package \(package))."
        }
        let name = "parley-look-\(getpid())"
        defer { NetworkCommand.run("ip netns del \(name)") }
        return NetworkCommand.run("ip netns add \(name)") ? nil : "Nobody may make a network namespace here."
    }()

    /// The server's address.
    let address: String
    private let namespace: String
    private let device: String
    private let table: String

    init() throws {
        // A network of four addresses for each.
        let number = UInt16.random(in: 0..<16_384)
        let (base, first) = ("10.199.\(number / 64)", Int(number % 64) * 4)
        address = "\(base).\(first + 2)"
        (namespace, device) = ("parley-janus-\(getpid())-\(number)", "pj\(number)")
        table = "parley_\(getpid())_\(number)"
        try NetworkCommand.run(all: [
            "ip netns add \(namespace)", "ip -n \(namespace) link set lo up",
            "ip link add \(device) type veth peer name janus netns \(namespace)",
            "ip addr add \(base).\(first + 1)/30 dev \(device)", "ip link set \(device) up",
            "ip -n \(namespace) addr add \(address)/30 dev janus", "ip -n \(namespace) link set janus up",
        ])
    }

    /// The words before a command that make it run in the network.
    var prefix: [String] {
        ["/usr/bin/env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "ip", "netns", "exec", namespace]
    }

    private var inside: String { "ip netns exec \(namespace)" }

    /// Has so many of a hundred packets of media get lost, each way; signaling goes on.
    func lose(_ percent: Int) throws {
        let rule = "meta l4proto udp " + (percent < 100 ? "numgen random mod 100 < \(percent) drop" : "drop")
        let chain = "inet \(table) in { type filter hook input priority 0 ; }"
        try NetworkCommand.run(all: [
            "nft add table inet \(table)", "nft add chain \(chain)",
            "nft add rule inet \(table) in iifname \(device) \(rule)", "\(inside) nft add table inet \(table)",
            "\(inside) nft add chain \(chain)", "\(inside) nft add rule inet \(table) in \(rule)",
        ])
    }

    /// Has the way from the server carry so many kilobits a second, with a queue of at most 400 ms.
    func narrow(to rate: Int) throws {
        try NetworkCommand.run(all: [
            "\(inside) tc qdisc add dev janus root tbf rate \(rate)kbit burst 3000 latency 400ms"
        ])
    }

    /// Has nothing get lost any more.
    func heal() throws {
        try NetworkCommand.run(all: [
            "nft delete table inet \(table)", "\(inside) nft delete table inet \(table)",
        ])
    }

    /// Removes it, after what runs in it.
    func remove() {
        NetworkCommand.run("nft delete table inet \(table)")
        NetworkCommand.run("ip netns del \(namespace)")
    }
}
