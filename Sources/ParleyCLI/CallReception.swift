import Calling
import Parley

/// Follows a command's calls, those that come included, as several of them as it may have at once.
struct CallReception {
    /// What becomes of a call that comes while there is none.
    enum First: Sendable {
        case accept, decline, ring
    }

    let account: Account
    let printer: EventPrinter
    /// What becomes of one that comes during another.
    let second: SecondCall
    let takesCommands: Bool
    let tellsStatistics: Bool

    private enum News: Sendable {
        case incoming(Call)
        case ended(Call.ID, CallSummary)
    }

    /// Follows a call that goes out, and those that come meanwhile; waits for the end of all.
    /// - Returns: The summary of the one that went out.
    func follow(_ call: Call, _ follower: CallFollower) async -> CallSummary {
        let desk = CallDesk(printer, retry: { [account] in await account.retryNow() })
        if takesCommands { await desk.takeCommands() }
        guard second != .busy else { return await desk.follow(call, follower) }
        let others = Task { await serve(.ring, once: false, desk) }
        var follower = follower
        follower.isLast = false
        let summary = await desk.follow(call, follower)
        // Whoever is on hold is not left there for nobody.
        await desk.waitUntilFree()
        others.cancel()
        _ = await others.value
        return summary
    }

    /// Waits for calls until the task is cancelled, or with `once` until the first one and all that came during it are over.
    /// - Returns: The summary of the last one that ended, or with `once` of the first one; nil when there was none.
    func listen(_ first: First, once: Bool) async -> CallSummary? {
        let desk = CallDesk(printer, retry: { [account] in await account.retryNow() })
        if takesCommands { await desk.takeCommands() }
        return await serve(first, once: once, desk)
    }

    private func serve(_ first: First, once: Bool, _ desk: CallDesk) async -> CallSummary? {
        let (news, tell) = AsyncStream<News>.makeStream()
        let updates = account.updates
        let watching = Task {
            for await update in updates { if case .incoming(let call) = update { tell.yield(.incoming(call)) } }
            tell.finish()
        }
        var following: [Call.ID: (call: Call, task: Task<CallSummary, Never>)] = [:]
        var (firstID, result): (Call.ID?, CallSummary?)
        for await item in news {
            switch item {
            case .incoming(let call):
                if firstID == nil { firstID = call.id }
                let isOccupied = await desk.isOccupied
                let isSecond = isOccupied || following.values.contains { $0.call.state.endReason == nil }
                let task = Task {
                    await receive(call, first, isSecond: isSecond, isLast: once && second == .busy, desk)
                }
                following[call.id] = (call, task)
                Task { tell.yield(.ended(call.id, await task.value)) }
            case .ended(let id, let summary):
                following[id] = nil
                if !once || id == firstID { result = summary }
            }
            if once, firstID != nil, following.isEmpty { break }
        }
        watching.cancel()
        // Cancelled: the calls are hung up and told to their ends.
        for (id, (_, task)) in following {
            task.cancel()
            let summary = await task.value
            if !once || id == firstID { result = summary }
        }
        return result
    }

    private func receive(
        _ call: Call, _ first: First, isSecond: Bool, isLast: Bool, _ desk: CallDesk
    ) async -> CallSummary {
        printer.incoming(call)
        let isTaken = isSecond ? [.hold, .end].contains(second) : first == .accept
        let follower = CallFollower(
            printer: printer, takesCalls: isTaken, tellsStatistics: tellsStatistics, isLast: isLast)
        async let summary = desk.follow(call, follower)
        // A call that is over meanwhile says so itself.
        switch (isSecond, first) {
        case (true, _): await second.meet(call, at: desk)
        case (false, .accept): try? await call.accept(media: call.media)
        case (false, .decline): await call.decline()
        case (false, .ring): break
        }
        return await summary
    }
}
