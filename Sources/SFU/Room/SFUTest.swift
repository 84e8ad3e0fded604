import BaseKit
import SFURules
import Signaling

/// Tries whether a call server is of use: makes a room there, joins it, and closes it again.
public enum SFUTest {
    /// How long others who were in the room may take to be gone from it, and how often that is looked at: Janus 1.1.2 can crash where a
    /// handle is given back in the moment in which its room is closed.
    private static let leaving: (patience: Duration, interval: Duration) = (.seconds(3), .milliseconds(100))

    /// What has worked, in this order.
    public enum Step: Sendable, Hashable {
        /// It answers, and is who it should be; from the first packet to the last of setting up, in milliseconds.
        case connected(milliseconds: Int)
        /// It is a Janus of this version, with rooms for video calls.
        case found(version: String)
        /// It takes this side's token, or wants none.
        case admitted
        /// It has made a room.
        case roomMade
        /// It lets this side in.
        case joined
        /// The room is closed again.
        case roomDestroyed
    }

    /// Tries a server; it takes at most some ten seconds a step. `report` is called with each step that has worked.
    ///
    /// `inRoom` does what else is to be tried with the room, in its own time, between ``Step/joined`` and ``Step/roomDestroyed``. It gets the room
    /// and the token that is needed there, and has left the room when it returns.
    ///
    /// A room that was made and can't be closed goes from the server when that starts anew; nobody knows its PIN.
    ///
    /// When the task is cancelled it ends with ``SFUError/closed``: at once while it connects, and later after the step that is under way
    /// and the end of the room.
    public static func run(
        _ address: SFUAddress, keys: SFUKeys, configuration: SFUConfiguration = SFUConfiguration(),
        inRoom: @Sendable (SFURoom, SecretText?) async -> Void = { _, _ in }, report: @Sendable (Step) -> Void
    ) async throws(SFUError) {
        let begin = Instant.now
        let client = SFURoomClient(address: address, keys: keys, configuration: configuration)
        let outcome: Result<Void, SFUError>
        do throws(SFUError) {
            try await run(client, since: begin, inRoom, report)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await client.close()
        try outcome.get()
    }

    private static func run(
        _ client: SFURoomClient, since begin: Instant, _ inRoom: @Sendable (SFURoom, SecretText?) async -> Void,
        _ report: @Sendable (Step) -> Void
    ) async throws(SFUError) {
        let connection = await withTaskCancellationHandler {
            do throws(SFUError) {
                return Result<SFUServerInfo, SFUError>.success(try await client.connect())
            } catch {
                return .failure(error)
            }
        } onCancel: {
            Task { await client.close() }
        }
        if let opened = await client.openedAt {
            report(.connected(milliseconds: Int((opened - begin).wholeMilliseconds)))
        }
        if let info = await client.serverInfo, connection != .failure(.noVideoRoom) {
            report(.found(version: info.version))
        }
        _ = try connection.get()
        report(.admitted)
        guard !Task.isCancelled else { throw .closed }
        let plan = SFURoomPlan.random()
        try await client.makeRoom(plan)
        report(.roomMade)
        do throws(SFUError) {
            guard !Task.isCancelled else { throw SFUError.closed }
            let own = SFUFeed(id: .random(), display: "")
            try await client.join(plan.room, as: own)
            report(.joined)
            await inRoom(plan.room, client.token)
            // To its end, also when the task is cancelled.
            await Task { await waitUntilAlone(in: plan.room.number, own.id, client) }.value
        } catch {
            try? await client.destroyRoom(plan.room.number, secret: plan.secret)
            throw error
        }
        try await client.destroyRoom(plan.room.number, secret: plan.secret)
        report(.roomDestroyed)
    }

    private static func waitUntilAlone(in room: SFUNumber, _ own: SFUNumber, _ client: SFURoomClient) async {
        let end = Instant.now + leaving.patience
        while Instant.now < end, let all = try? await client.participants(of: room) {
            guard all.contains(where: { $0.feed.id != own }) else { return }
            try? await Task.sleep(for: leaving.interval)
        }
    }
}
