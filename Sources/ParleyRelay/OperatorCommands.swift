import ArgumentParser
import Glibc
import Relay
import RelayRules
import RelaySettings

/// How a running relay is found.
struct ControlOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The relay's state folder. (default: that of the configuration file)", valueName: "dir"))
    var state: String?

    @Option(help: ArgumentHelp("Configuration file.", valueName: "file"))
    var config: String?

    /// Asks the relay and prints its answer.
    func ask(_ request: ControlRequest) throws {
        do {
            for line in try RelayControl(folder: folder()).ask(request) { print(line) }
        } catch let error as ControlError {
            throw CleanExitFailure(message: error.description)
        } catch let error as SettingsError {
            throw CleanExitFailure(message: error.description)
        }
    }

    private func folder() throws -> String {
        if let state { return state }
        let settings = try SettingsFile.read(config).over(Environment.settings)
        guard case .folder(let path)? = settings.queues else { return "/var/lib/parley-relay" }
        return path
    }
}

/// What is blocked. The id of one queue in 64 begins with a hyphen, which means no option here.
struct TargetArgument: ParsableArguments {
    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("Id of a queue, its sender or its link; or an address.", valueName: "queue|address"))
    var words: [String]

    /// The one that was named.
    func read() throws -> ControlRequest.Target {
        guard words.count == 1 else { throw ValidationError("Name one queue or address.") }
        return try readTarget(words[0])
    }
}

/// `parley-relay queues`
struct QueuesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queues", abstract: "Lists the queues of a running relay that hold most.")

    @OptionGroup var control: ControlOptions

    @Option(help: "How many.")
    var largest = 20

    func validate() throws {
        guard ControlRequest.listed.contains(largest) else {
            throw ValidationError(ControlError.outOfRange(ControlRequest.listed).description)
        }
    }

    func run() throws { try control.ask(.queues(largest)) }
}

/// `parley-relay block`
struct BlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Has a running relay take nothing for a queue, or from an address, any more.",
        discussion: "It is kept over restarts. Clients of a blocked queue are told the reason.")

    @OptionGroup var control: ControlOptions

    @Option(help: "What clients of a queue are told: spam or content.")
    var reason = "spam"

    @OptionGroup var target: TargetArgument

    func validate() throws { _ = try request() }

    func run() throws { try control.ask(request()) }

    private func request() throws -> ControlRequest {
        guard ControlRequest.reasons.contains(reason) else {
            throw ValidationError(ControlError.unknownReason(reason).description)
        }
        return .block(try target.read(), reason: reason)
    }
}

/// `parley-relay unblock`
struct UnblockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unblock", abstract: "Undoes a block.")

    @OptionGroup var control: ControlOptions

    @OptionGroup var target: TargetArgument

    func validate() throws { _ = try target.read() }

    func run() throws { try control.ask(.unblock(try target.read())) }
}

/// `parley-relay drain`
struct DrainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain",
        abstract: "Has a running relay take no more connections, end the open ones one by one, and stop.")

    @OptionGroup var control: ControlOptions

    @Option(help: "Within how many seconds.")
    var seconds = 60

    func validate() throws {
        guard ControlRequest.drained.contains(seconds) else {
            throw ValidationError(ControlError.outOfRange(ControlRequest.drained).description)
        }
    }

    func run() throws { try control.ask(.drain(seconds: seconds)) }
}

private func readTarget(_ text: String) throws -> ControlRequest.Target {
    do { return try ControlRequest.target(text) } catch { throw ValidationError(error.description) }
}

/// The operator's end of a relay's control socket.
struct RelayControl {
    let folder: String

    /// - Returns: the lines of the answer.
    /// - Throws: `ControlError.notRunning`, or `CleanExitFailure` with what the relay said.
    func ask(_ request: ControlRequest) throws -> [String] {
        let path = RelayServer.controlPath(in: folder)
        guard let answer = exchange(path, request.line + "\n") else { throw ControlError.notRunning(path) }
        var lines = answer.split(separator: "\n").map(String.init)
        guard !lines.isEmpty else { throw ControlError.notRunning(path) }
        let verdict = lines.removeFirst()
        guard verdict == "ok" else { throw CleanExitFailure(message: String(verdict.dropFirst("error ".count))) }
        return lines
    }

    private func exchange(_ path: String, _ text: String) -> String? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        let line = Array(text.utf8)
        guard connected == 0, send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else { return nil }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer.prefix(count)
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
