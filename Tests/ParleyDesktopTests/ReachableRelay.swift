import Foundation
import TestSupport

/// A relay at this machine's own address, as Parley offers no link that leads back to this machine alone.
final class ReachableRelay {
    /// What `--relay` takes.
    let address: String
    private let folder: TemporaryFolder
    private var server: ChildProcess?

    /// It stays until the test is over.
    init(of test: ProgramSuite) throws {
        folder = try TemporaryFolder()
        let server = try Self.server(in: folder, at: "\(TURNServer.machineAddress):0")
        self.server = server
        address = String(try blocking { try await server.line { $0.hasPrefix("relay smp://") } }.dropFirst(6))
        test.atEnd { withExtendedLifetime(self) {} }
    }

    private static func server(in folder: TemporaryFolder, at place: String) throws -> ChildProcess {
        try ChildProcess(
            ChildProcess.built("parley-relay"),
            ["--listen", place, "--state", folder.file("relay"), "--stun", "off"], folder: folder.path)
    }

    /// Where it is, as windows name it.
    var place: String { address.split(separator: "@").last.map(String.init) ?? "" }

    /// Kills it.
    func stop() { server = nil }

    /// Starts it where it was, with what it had.
    func startAgain() throws { server = try Self.server(in: folder, at: place) }
}
