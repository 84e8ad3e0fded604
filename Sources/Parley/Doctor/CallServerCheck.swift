import BaseKit
import SFU
import SFURules

/// Makes a room on a call server, joins it, and closes it again.
struct CallServerCheck {
    let server: GroupServer

    func finding() async -> Finding {
        let steps = Lock<[SFUTest.Step]>([])
        do throws(SFUError) {
            try await SFUTest.run(server.address, keys: server.keys) { step in steps.withLock { $0.append(step) } }
        } catch {
            return Finding(.callServer, of: server.address.text, .problem, .callServerUnusable(error))
        }
        var (version, connecting) = ("", 0)
        for step in steps.withLock({ $0 }) {
            switch step {
            case .connected(let milliseconds): connecting = milliseconds
            case .found(let found): version = found
            case .admitted, .roomMade, .joined, .roomDestroyed: break
            }
        }
        return Finding(
            .callServer, of: server.address.text, .ok, .callServer(version: version, connecting: connecting))
    }
}
