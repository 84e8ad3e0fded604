import ArgumentParser
import Dispatch
import Glibc
import Logging
import Relay
import SMP
import SMPTransport

/// `parley-relay`: runs a relay until it is told to stop.
@main
struct ParleyRelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parley-relay",
        abstract: "A relay that keeps messages until their recipients fetch them.",
        discussion: """
            The first line of the output is the relay's address: "relay smp://FINGERPRINT@HOST:PORT". Its identity is made \
            at the first start and kept in the state directory, with \
            all queues.
            """)

    @Option(help: ArgumentHelp("Where to take connections; port 0 is any free port.", valueName: "host:port"))
    var listen = ListenAddress(host: "127.0.0.1", port: RelayAddress.defaultPort)

    @Option(help: ArgumentHelp("Folder for certificates and keys.", valueName: "dir"))
    var state: String

    @Option(help: ArgumentHelp("Host in the address that is printed, if it differs.", valueName: "name"))
    var host: String?

    @Option(help: ArgumentHelp("Protocol versions to offer.", valueName: "min-max"))
    var versions = VersionsOption(range: TransportConfiguration.defaultVersions)

    @Option(help: ArgumentHelp("Messages a queue holds.", valueName: "n"))
    var quota = 128

    @Flag(help: "Forward messages of clients to other relays, so that those don't see the clients.")
    var proxy = false

    @Option(help: ArgumentHelp("How much to log.", valueName: "level"))
    var logLevel = LogLevel.notice

    func validate() throws {
        guard quota > 0 else { throw ValidationError("A queue must hold at least one message.") }
    }

    func run() async throws {
        let level = logLevel.level
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
        let relay = RelayServer(
            configuration: RelayConfiguration(
                host: listen.host, port: listen.port, announcedHost: host, stateDirectory: state,
                versions: versions.range, quota: quota, proxy: proxy ? ProxyConfiguration() : nil))
        let stop = StopSignals()
        let address: RelayAddress
        do {
            address = try await relay.start()
        } catch {
            throw CleanExitFailure(message: error.description)
        }
        print("relay \(address.text)")
        fflush(nil)
        await stop.wait()
        await relay.stop()
    }
}

/// A failure told in one sentence, without usage.
struct CleanExitFailure: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
