import Calling
import Cryptography
import Foundation
import SFU
import SFUPort
import SFURules
import Signaling

/// Plugs the person's call server into calls of several: makes rooms there, and closes them.
struct GroupRoomAdapter: GroupRoomPort {
    let server: GroupServerBox

    var use: GroupServerUse {
        guard let server = server.value else { return .never }
        return server.isAlwaysUsed ? .always : .whenNeeded
    }

    func make(_ number: Int) async throws -> GroupRoom {
        guard let server = server.value else { throw SFUError.closed }
        let client = SFURoomClient(address: server.address, keys: server.keys)
        let plan = SFURoomPlan.random()
        do {
            try await client.makeRoom(plan)
        } catch {
            await client.close()
            throw error
        }
        let token = await client.token
        await client.close()
        return GroupRoom(
            number: number, address: server.address.text, room: plan.room.number.value, pin: plan.room.pin,
            token: token, feeds: SecretBytes.random(GroupRoom.feedsCount), secret: plan.secret)
    }

    /// None where the server that the person uses now is another one, or where tokens are given and not made.
    func renewToken(for room: GroupRoom) async -> SecretText? {
        guard let server = server.value, server.address.text == room.address else { return nil }
        return server.keys.madeToken(wallClock: Int64(Date().timeIntervalSince1970))
    }

    func lock(
        _ room: GroupRoom, staying members: Set<MemberNumber>
    ) async throws -> (pin: SecretText, secret: SecretText) {
        guard let secret = room.secret, let number = SFUNumber(room.room) else { throw SFUError.wrongSecret }
        let client = SFURoomClient(address: try SFUAddress(parsing: room.address), keys: SFUKeys(token: room.token))
        do {
            let lock = try await RoomKeeper.lock(
                number, staying: Set(members.map(\.value)), feedsKey: room.feeds, secret: secret, by: client)
            await client.close()
            return (lock.pin, lock.secret)
        } catch {
            await client.close()
            throw error
        }
    }

    /// As far as the server can be reached: a room that stays there is empty, and nobody but its members can enter.
    func close(_ room: GroupRoom) async {
        guard let secret = room.secret, let number = SFUNumber(room.room),
            let address = try? SFUAddress(parsing: room.address)
        else { return }
        let client = SFURoomClient(address: address, keys: SFUKeys(token: room.token))
        try? await client.destroyRoom(number, secret: secret)
        await client.close()
    }
}
