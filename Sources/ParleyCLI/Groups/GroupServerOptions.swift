import ArgumentParser
import Foundation
import Parley
import SFURules
import Signaling
import Wording

/// Where a call server is, and what it wants to see.
struct GroupServerPlace: ParsableArguments {
    @Option(
        name: .customLong("janus"),
        help: ArgumentHelp(
            "Call server (Janus) for more than four people, wss://… or ws:// on this machine. See docs/groups.md.",
            valueName: "URL"))
    var address: String?

    @Option(
        name: .customLong("janus-keys"),
        help: ArgumentHelp(
            "File with what the server wants to see, a line each: room-key KEY, token TOKEN, token-secret SECRET.",
            valueName: "FILE"))
    var keysFile: String?

    func validate() throws {
        if address == nil, keysFile != nil { throw ValidationError(tr("Name the server by --janus.")) }
        _ = try server()
    }

    /// The server; nil without one.
    func server() throws -> GroupServer? {
        guard let address else { return nil }
        let place: SFUAddress
        do {
            place = try SFUAddress(parsing: address)
        } catch {
            throw ValidationError(error.sentence)
        }
        var keys = SFUKeys()
        if let keysFile {
            guard let data = FileManager.default.contents(atPath: keysFile), data.count <= 65_536,
                let read = Self.keys(String(decoding: data, as: UTF8.self))
            else { throw ValidationError(tr("The file “%s” can't be read.", keysFile)) }
            keys = read
        }
        return GroupServer(address: place, keys: keys)
    }

    /// Reads the lines of a file with keys; nil if one is none.
    static func keys(_ text: String) -> SFUKeys? {
        var keys = SFUKeys()
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard words.count == 2 else { return nil }
            let secret = SecretText(words[1])
            switch first {
            case "room-key": keys.roomKey = secret
            case "token": keys.token = secret
            case "token-secret": keys.tokenSecret = secret
            default: return nil
            }
        }
        return keys
    }
}

/// The call server of a call of several.
struct GroupServerOptions: ParsableArguments {
    @OptionGroup var place: GroupServerPlace

    @Flag(name: .customLong("janus-always"), help: "Use the server for few people, too.")
    var isAlwaysUsed = false

    func validate() throws {
        if place.address == nil, isAlwaysUsed { throw ValidationError(tr("Name the server by --janus.")) }
    }

    /// The server; nil without one.
    func server() throws -> GroupServer? {
        var server = try place.server()
        server?.isAlwaysUsed = isAlwaysUsed
        return server
    }
}
