import ArgumentParser
import Foundation
import MediaRules
import Parley
import Wording

/// The servers that help calls on their way.
struct CallServerOptions: ParsableArguments {
    @Option(
        name: .customLong("call-servers"),
        help: ArgumentHelp(
            "File with the STUN and TURN servers for calls, one a line; remembered by the profile. See docs/turn.md.",
            valueName: "FILE"))
    var file: String?

    @Flag(
        name: .customLong("relay-only"), inversion: .prefixedNo,
        help: "Let calls go only through TURN servers, which hides your addresses; remembered by the profile.")
    var relayOnly: Bool?

    @Flag(
        name: .customLong("ask-relays"), inversion: .prefixedNo,
        help:
            "Ask your relays in calls which address you have, where there is no STUN server; remembered by the profile."
    )
    var asksRelays: Bool?

    func validate() throws { _ = try servers() }

    /// Whether nothing was chosen.
    var areUsual: Bool { file == nil && relayOnly == nil && asksRelays == nil }

    /// The servers of the file; nil without one.
    func servers() throws -> [ICEServer]? {
        guard let file else { return nil }
        guard let data = FileManager.default.contents(atPath: file), data.count <= 65_536 else {
            throw ValidationError(tr("The file “%s” can't be read.", file))
        }
        do {
            return try CallServerFile.parse(String(decoding: data, as: UTF8.self))
        } catch {
            throw ValidationError(tr("The file “%1$s” can't be used: %2$s", file, error))
        }
    }
}

/// A file that names servers for calls, so that no password stands on a command line.
enum CallServerFile {
    /// What is wrong, in one sentence that shows no secret.
    struct Mistake: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// Reads lines of a URL and, for TURN, `user NAME PASSWORD` or `secret SECRET [NAME]`, then perhaps `authorities PATH`.
    /// Empty lines and those that begin with # don't count.
    static func parse(_ text: String) throws(Mistake) -> [ICEServer] {
        var servers: [ICEServer] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            let server = try server(first, words.dropFirst(), line: index + 1)
            do {
                try server.check()
            } catch {
                throw Mistake(description: tr("line %1$s: %2$s", index + 1, error.sentence))
            }
            servers.append(server)
        }
        guard servers.count <= CallServers.maximumCount else {
            throw Mistake(description: AccountError.tooManyCallServers.sentence)
        }
        return servers
    }

    private static func server(
        _ url: String, _ words: ArraySlice<String>, line: Int
    ) throws(Mistake) -> ICEServer {
        var server = ICEServer(url: url)
        var rest = words
        if rest.count >= 2, rest.suffix(2).first == "authorities" {
            server.authorities = rest.last.map { URL(fileURLWithPath: $0).path }
            rest = rest.dropLast(2)
        }
        let parts = Array(rest)
        switch (parts.first, parts.count) {
        case (nil, _): break
        case ("user", 3): (server.username, server.credential) = (parts[1], parts[2])
        case ("secret", 2): server.secret = parts[1]
        case ("secret", 3): (server.secret, server.username) = (parts[1], parts[2])
        default:
            throw Mistake(
                description: tr("line %s: after the address follows user NAME PASSWORD or secret SECRET [NAME].", line))
        }
        return server
    }
}

/// `parley-cli servers`: the servers for calls.
struct ShowServers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "servers",
        abstract: "Show or set the servers that help calls on their way, and the call server for several people.")

    @OptionGroup var servers: CallServerOptions
    @OptionGroup var callServer: GroupServerOptions
    @Flag(name: .customLong("no-janus"), help: "Use no call server any more.")
    var hasNoCallServer = false
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if hasNoCallServer, callServer.place.address != nil {
            throw ValidationError(tr("Choose either --janus or --no-janus."))
        }
    }

    func run() async throws {
        let isJSON = output.isJSON
        let printer = EventPrinter(isJSON: isJSON)
        try await Session(profile: profile, servers: servers, printer: printer).run { account in
            if let server = try callServer.server() {
                try await account.setGroupServer(server)
            } else if hasNoCallServer {
                try await account.setGroupServer(nil)
            }
            let known = account.callServers
            for server in known.servers {
                let login = server.secret != nil ? "secret" : server.username == nil ? "none" : "user"
                printer.event(
                    "server", ["server": .string(server.url), "login": .string(login)], sentence: PlainLine(server.url))
            }
            if known.servers.isEmpty, !isJSON {
                printer.event("none", sentence: .tr("There are no servers for calls."))
            }
            if let server = account.groupServer {
                let token = server.keys.tokenSecret != nil ? "made" : server.keys.token == nil ? "none" : "given"
                printer.event(
                    "callServer",
                    [
                        "server": .string(server.address.text), "always": .boolean(server.isAlwaysUsed),
                        "roomKey": .boolean(server.keys.roomKey != nil), "token": .string(token),
                    ], sentence: .tr("Calls of more than four people go over %s.", server.address.text))
            }
            printer.last(
                "routing", ["relayOnly": .boolean(known.isRelayOnly), "askRelays": .boolean(known.asksRelays)],
                sentence: known.isRelayOnly
                    ? .tr("Calls go only through TURN servers.") : .tr("Calls go every way that works."))
        }
    }
}
