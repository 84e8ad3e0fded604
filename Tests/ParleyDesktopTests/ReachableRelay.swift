import Foundation
import TestSupport

/// A relay at this machine's own address, as Parley offers no link that leads back to this machine alone.
final class ReachableRelay: Sendable {
    /// What `--relay` takes.
    let address: String
    private let folder: TemporaryFolder
    private let server: ChildProcess

    /// It stays until the test is over.
    init(of test: ProgramSuite) throws {
        folder = try TemporaryFolder()
        server = try ChildProcess(
            ChildProcess.built("parley-relay"),
            ["--listen", "\(TURNServer.machineAddress):0", "--state", folder.file("relay"), "--stun", "off"],
            folder: folder.path)
        address = String(
            try blocking { [server] in try await server.line { $0.hasPrefix("relay smp://") } }.dropFirst(6))
        test.atEnd { withExtendedLifetime(self) {} }
    }
}
