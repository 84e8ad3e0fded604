import BaseKit
import Cryptography
import Media
import MediaRules
import SFU
import SFUPort
import SFURules
import Signaling

/// Tries whether a call server is of use: makes a room there, sends a tone and a test picture through it, and closes it again.
public enum GroupServerTest {
    /// What has worked: the steps of ``SFUTest``, and between ``SFUTest/Step/joined`` and the last one those of the media.
    public enum Step: Sendable, Hashable {
        case server(SFUTest.Step)
        case media(RoomTrial.Step)
    }

    /// Why a call server is of no use now.
    public enum Failure: Error, Sendable, Equatable {
        /// The server itself.
        case server(SFUError)
        /// The server makes rooms, and media don't go through one.
        case trial(RoomTrialFault)
        /// There are no media on this machine.
        case media(MediaError)
    }

    /// Tries a server, with these STUN and TURN servers for the way to it. It takes at most some ten seconds a step, and 15 for each of the
    /// media. `report` is called with each step that has worked.
    ///
    /// What goes through the room is sealed as in a call, with a key that is made for the test. No device is opened. When the task is
    /// cancelled it ends early with ``SFUError/closed``.
    public static func run(
        _ server: GroupServer, by servers: CallServers = CallServers(), report: @Sendable (Step) -> Void
    ) async throws(Failure) {
        let found = Shared<Failure?>(nil)
        do throws(SFUError) {
            try await SFUTest.run(
                server.address, keys: server.keys,
                inRoom: { room, token in
                    do throws(Failure) {
                        try await tryMedia(in: room, SFUKeys(token: token), at: server.address, by: servers) {
                            report(.media($0))
                        }
                    } catch {
                        found.value = error
                    }
                },
                report: { report(.server($0)) })
        } catch {
            // What came first is what is to be mended.
            throw found.value ?? .server(error)
        }
        if let failure = found.value { throw failure }
    }

    private static func tryMedia(
        in room: SFURoom, _ keys: SFUKeys, at address: SFUAddress, by servers: CallServers,
        report: @Sendable (RoomTrial.Step) -> Void
    ) async throws(Failure) {
        let feedsKey = SecretBytes.random(GroupRoom.feedsCount)
        var plan = RoomTrial.Plan(feedsKey: feedsKey)
        (plan.iceServers, plan.relayOnly) = (servers.servers, servers.isRelayOnly)
        do {
            try await RoomTrial.run(
                plan,
                join: { member in
                    try await SFUPort(
                        joining: room, by: SFURoomClient(address: address, keys: keys), member: member,
                        feedsKey: feedsKey)
                }, report: report)
        } catch {
            throw Failure(error)
        }
    }
}

extension GroupServerTest.Failure {
    fileprivate init(_ error: any Error) {
        self =
            switch error {
            case let error as SFUError: .server(error)
            case let error as RoomTrialFault: .trial(error)
            case let error as MediaError: .media(error)
            case is CancellationError: .server(.closed)
            default: .media(.pipeline("\(error)"))
            }
    }
}
