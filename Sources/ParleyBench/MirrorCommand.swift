import ArgumentParser
import Glibc
import Logging
import SMP
import SMPSession
import SMPTransport

/// The ceiling's process; started by the others.
struct MirrorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror", abstract: "Answers blocks as a relay would, without being one.", shouldDisplay: false)

    @Option(help: ArgumentHelp("Folder for certificates.", valueName: "dir"))
    var state: String

    @Option(help: ArgumentHelp("Versions to offer; below 11 blocks are not encrypted.", valueName: "min-max"))
    var versions: MirrorVersions

    func run() async throws {
        raiseFileLimit()
        var logger = Logger(label: "parley.mirror")
        logger.logLevel = .error
        let host = "127.0.0.1"
        let certificates = try RelayCertificates.loadOrMake(in: state, host: host)
        let listener = Listener(
            configuration: ListenerConfiguration(
                host: host, port: 0, certificates: certificates, versions: versions.range, logger: logger),
            sessions: Mirror())
        let port = try await listener.start()
        let address = try RelayAddress(hosts: [host], port: port, keyHash: certificates.fingerprint)
        print("relay \(address.text)")
        fflush(nil)
        // It serves one run and must not outlive it, however that ends.
        let parent = getppid()
        while getppid() == parent { try await Task.sleep(for: .seconds(1)) }
    }
}
