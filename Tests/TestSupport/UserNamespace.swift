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
}
