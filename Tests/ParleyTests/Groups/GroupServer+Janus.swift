import SFU
import SFURules
import Signaling
import TestSupport

@testable import Parley

extension GroupServer {
    /// A server of the tests, which all calls of several go over.
    init(_ janus: JanusServer) throws {
        let keys = SFUKeys(
            roomKey: janus.keys.room.map { SecretText($0) }, tokenSecret: janus.keys.token.map { SecretText($0) })
        self.init(address: try SFUAddress(parsing: janus.address), keys: keys, isAlwaysUsed: true)
    }
}
