import CallControl
import DesktopSession
import Foundation
import Logging
import Portal
import Wording

/// The program's place on the session bus: the name by which the desktop, a second start and scripts find it. It is taken before
/// anything is opened, so that whoever starts the program by its name does not wait.
@MainActor final class Presence {
    /// What came of the attempt to take it.
    enum Outcome {
        /// The name is ours.
        case taken(Presence)
        /// Another process has it and was told what this one was started for; this is the exit status.
        case handedOver(Int32)
        /// There is no bus.
        case absent
    }

    /// The connection; it closes with the session.
    let bus: Bus
    /// What is asked of the program; ends with the connection.
    let requests: AsyncStream<ApplicationRequest>
    /// The calls, as other programs see them.
    let calls: CallService
    /// The log of calls, as other programs see it.
    let log: LogService

    private static let logger = Logger(label: "im.parley.service")

    private init(_ bus: Bus, _ requests: AsyncStream<ApplicationRequest>, _ calls: CallService, _ log: LogService) {
        (self.bus, self.requests, self.calls, self.log) = (bus, requests, calls, log)
    }

    /// Takes the name, or has the process that has it do what this one was started for.
    /// - Parameters:
    ///   - connecting: The way to the session bus, which may still be under way.
    ///   - token: What ``token`` was before GTK was there.
    static func claim(
        _ options: Options, _ settings: ProgramSettings, on connecting: Task<Bus, any Error>, token: String?
    ) async -> Outcome {
        let bus: Bus
        do {
            bus = try await connecting.value
        } catch {
            logger.notice("Nobody finds this program by its name: \(error)")
            return .absent
        }
        let client = ApplicationClient(bus: bus, name: ApplicationIdentity.id)
        do throws(ServiceError) {
            if options.isInBackground, try await hasStarted(client) { return .handedOver(0) }
            let (requests, channel) = AsyncStream<ApplicationRequest>.makeStream()
            ApplicationServer().serve(on: bus) { channel.yield($0) }
            let calls = CallService(bus: bus, isEnabled: settings[.letsProgramsCall])
            let log = LogService(bus: bus, isEnabled: settings[.letsProgramsCall])
            var attempts = 3
            while try await !owns(bus) {
                guard !options.hasSettings else {
                    Program.complain(tr("Parley runs already. Quit it first to start it with other settings."))
                    return .handedOver(2)
                }
                do throws(ServiceError) {
                    try await handOver(options, to: client, token)
                    return .handedOver(0)
                } catch .ended where attempts > 1, .notRunning where attempts > 1 {
                    // It was quitting, or went before it was asked: its place is free.
                    attempts -= 1
                }
            }
            Task {
                // They end with the connection. The window does not wait for the bus to know that somebody listens.
                if let changes = try? await bus.ownerChanges(of: ApplicationIdentity.id) { for await _ in changes {} }
                channel.finish()
            }
            return .taken(Presence(bus, requests, calls, log))
        } catch {
            logger.error("The Parley that runs does not answer: \(error)")
            Program.complain(tr("Parley runs already and does not answer."))
            return .handedOver(1)
        }
    }

    /// What lets a window of the process that runs come to the front, from whoever started this one. GTK takes it out of the environment.
    static var token: String? {
        let variables = ProcessInfo.processInfo.environment
        return variables["XDG_ACTIVATION_TOKEN"] ?? variables["DESKTOP_STARTUP_ID"]
    }

    private static func hasStarted(_ client: ApplicationClient) async throws(ServiceError) -> Bool {
        do {
            try await client.start()
            return true
        } catch .notInstalled {
            // As in a build folder: then this process is the service.
            return false
        } catch .startFailed(let message) {
            logger.error("The desktop can't start the service: \(message)")
            return false
        }
    }

    private static func handOver(
        _ options: Options, to client: ApplicationClient, _ token: String?
    ) async throws(ServiceError) {
        if !options.links.isEmpty {
            try await client.open(options.links, token: token)
        } else if !options.isService, !options.isInBackground {
            try await client.activate(token: token)
        }
    }

    private static func owns(_ bus: Bus) async throws(ServiceError) -> Bool {
        do { return try await bus.own(ApplicationIdentity.id) } catch { throw .bus(error) }
    }

    /// Takes over where the screen is, should the program have been started before it was there.
    func adoptDisplay() async {
        let names: Set<String> = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"]
        let present = ProcessInfo.processInfo.environment
        guard present["DISPLAY"] == nil, present["WAYLAND_DISPLAY"] == nil else { return }
        // Nobody else sets variables in this process, and GTK has not been asked for yet.
        for (name, value) in await SessionEnvironment.variables(names, on: bus) { setenv(name, value, 1) }
    }
}
