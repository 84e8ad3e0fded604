import Cryptography
import SFU
import SFURules
import Signaling

/// A room on a Janus that a measured call goes over, as its members are told of it.
struct MeasuredRoom: Codable, Sendable, Equatable {
    /// Where the Janus is, `ws://…` or `wss://…`.
    var address: String
    /// The file with the certificate that it has, where it is reached with TLS.
    var authorities: String?
    /// The key for making rooms.
    var roomKey: String
    var number: Int
    var pin: String
    var secret: String
    /// By which members know each other's feeds.
    var feeds: [UInt8]

    /// A room that is yet to be made.
    init(address: String, authorities: String? = nil, roomKey: String) {
        let plan = SFURoomPlan.random()
        (self.address, self.authorities, self.roomKey) = (address, authorities, roomKey)
        (number, pin, secret) = (plan.room.number.value, plan.room.pin?.text ?? "", plan.secret.text)
        feeds = SecretBytes.random(32).withUnsafeBytes { Array($0) }
    }

    /// What its maker asks for. Throws ``SFUError/malformed`` for a number that there can't be.
    var plan: SFURoomPlan {
        get throws(SFUError) {
            guard let number = SFUNumber(number) else { throw .malformed }
            return SFURoomPlan(room: SFURoom(number: number, pin: SecretText(pin)), secret: SecretText(secret))
        }
    }

    var feedsKey: SecretBytes { SecretBytes(feeds) }

    /// Somebody who can make or join it; connects to nothing yet. Throws ``SFUError``.
    func client() throws(SFUError) -> SFURoomClient {
        SFURoomClient(
            address: try SFUAddress(parsing: address), keys: SFUKeys(roomKey: SecretText(roomKey)),
            configuration: SFUConfiguration(authorities: authorities))
    }
}
