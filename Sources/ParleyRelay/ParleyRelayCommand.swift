import ArgumentParser
import Glibc
import Logging
import Relay
import RelaySettings
import SMP
import SMPSession
import TerminalText

/// `parley-relay`
@main
struct ParleyRelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parley-relay",
        abstract: "A relay that keeps messages until their recipients fetch them.",
        subcommands: [
            RunCommand.self, QueuesCommand.self, BlockCommand.self, UnblockCommand.self, DrainCommand.self,
        ],
        defaultSubcommand: RunCommand.self)
}

/// `parley-relay run`, or without a command: runs a relay until it is told to stop.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Runs a relay; what is done without a command.",
        discussion: """
            The first line of the output is the relay's address: "relay smp://FINGERPRINT@HOST:PORT". The fingerprint is \
            that of its own certificate authority, made at the first start.

            Every option is also a setting of the configuration file, without the dashes: quota = 256. The command line \
            wins.
            """)

    @OptionGroup var arguments: Arguments

    @Option(
        help: ArgumentHelp(
            "Configuration file; otherwise \(SettingsFile.standard), if there is one.", valueName: "file"))
    var config: String?

    func run() async throws {
        do {
            try await serve()
        } catch let error as SettingsError {
            throw CleanExitFailure(message: error.description)
        } catch let error as RelayStartError {
            throw CleanExitFailure(message: error.sentence)
        }
    }

    private func serve() async throws {
        let settings = try arguments.settings.over(SettingsFile.read(config)).over(Environment.settings)
        let level = (settings.logLevel ?? .notice).level
        LoggingSystem.bootstrap { label in
            SafeLogHandler(label: label, level: level)
        }
        let password = try settings.createPassword.map { try SettingsFile.password(in: $0) }
        var configuration = try settings.configuration(password: password)
        configuration.limits.total = OpenFiles.makeRoom(for: configuration.limits.total)
        if let wanted = settings.maxConnections, configuration.limits.total < wanted {
            configuration.logger.warning(
                "The system allows too few open files for that many connections",
                metadata: ["connections": "\(configuration.limits.total)"])
        }
        let relay = RelayServer(configuration: configuration)
        let stop = StopSignals()
        let address = try await relay.start()
        print("relay \(TerminalText.line(address.text))")
        if let port = relay.metricsPort, let endpoint = configuration.metrics {
            print("metrics http://\(RelayEndpoint(host: endpoint.host, port: port))/metrics")
        }
        fflush(nil)
        ServiceManager.notify("READY=1")
        let draining = Task { [raise = stop.raise] in
            for await _ in relay.drained {}
            if !Task.isCancelled { raise() }
        }
        await stop.wait()
        draining.cancel()
        ServiceManager.notify("STOPPING=1")
        await relay.stop()
    }
}

/// A failure told in one sentence, without usage.
struct CleanExitFailure: Error, CustomStringConvertible {
    let message: String
    var description: String { TerminalText.line(message) }
}
