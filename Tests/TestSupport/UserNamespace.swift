import Foundation

/// Namespaces in which anybody is root.
public enum UserNamespace {
    /// Why a file system can't be mounted in one here: the kernel or a container may refuse it.
    public static let refusal = "Nobody may mount a small disk in a namespace of their own here."

    /// Whether one can be made here, and a file system mounted in it.
    public static let canMount: Bool = {
        let trial = Process()
        trial.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        trial.arguments = [
            "unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt",
        ]
        (trial.standardOutput, trial.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? trial.run()) != nil else { return false }
        trial.waitUntilExit()
        return trial.terminationStatus == 0
    }()

    /// The words before a command that give it a network of its own, with these addresses on a device; nil where nobody can have
    /// one.
    public static func networkPrefix(_ addresses: [String]) -> [String]? {
        guard let maker = networkMaker else { return nil }
        let commands =
            ["link set lo up"] + addresses.map { "address add \($0) dev lo" + ($0.contains(":") ? " nodad" : "") }
        let script = commands.map { "ip \($0)" }.joined(separator: " && ") + " && exec \"$@\""
        return maker + ["/bin/sh", "-c", script, "sh"]
    }

    /// Why a program can't be given a network of its own here; nil when it can.
    public static let networkObstacle: String? =
        networkMaker == nil ? "Nobody may make a network of their own here, or ip is missing (package iproute2)." : nil

    private static let networkMaker: [String]? = {
        let start = ["/usr/bin/env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "unshare"]
        return [["--user", "--map-root-user", "--net"], ["--net"]].lazy.map { start + $0 }.first { words in
            let trial = Process()
            trial.executableURL = URL(fileURLWithPath: words[0])
            trial.arguments = Array(words.dropFirst()) + ["ip", "link", "set", "lo", "up"]
            (trial.standardOutput, trial.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            guard (try? trial.run()) != nil else { return false }
            trial.waitUntilExit()
            return trial.terminationStatus == 0
        }
    }()
}
