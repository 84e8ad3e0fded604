import BaseKit
import SFU

/// Makes a room on a call server, sends media through it, and closes it again.
struct CallServerCheck {
    let server: GroupServer
    let servers: CallServers

    func finding() async -> Finding {
        let steps = Lock<[GroupServerTest.Step]>([])
        do throws(GroupServerTest.Failure) {
            try await GroupServerTest.run(server, by: servers) { step in steps.withLock { $0.append(step) } }
        } catch {
            return Finding(.callServer, of: server.address.text, .problem, .callServerUnusable(error))
        }
        var (version, connecting, isRelayed) = ("", 0, false)
        for step in steps.withLock({ $0 }) {
            switch step {
            case .server(.connected(let milliseconds)): connecting = milliseconds
            case .server(.found(let found)): version = found
            case .media(.sent(let path)), .media(.received(let path)): isRelayed = isRelayed || path?.isRelayed == true
            case .server(.admitted), .server(.roomMade), .server(.joined), .server(.roomDestroyed): break
            }
        }
        return Finding(
            .callServer, of: server.address.text, .ok,
            .callServer(version: version, connecting: connecting, isRelayed: isRelayed))
    }
}
