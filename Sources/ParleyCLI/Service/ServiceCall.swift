import ArgumentParser
import CallControl
import Calling
import Parley
import Signaling
import Wording

/// A call that the running Parley makes, as that one has the profile open.
struct ServiceCall {
    let printer: EventPrinter
    let contact: String
    let media: CallMedia
    /// How long to talk once both are connected; nil: until somebody hangs up.
    var talkTime: Duration?
    /// How long to let it ring; nil: as long as calls ring.
    var ringTime: Duration?

    /// Makes the call and follows it to its end.
    /// - Throws: `ExitCode.failure` when it did not take place.
    func run(_ holder: ProfileHolder) async throws {
        let client = try await CallsClient(bus: holder.bus)
        // Before the call, so that none of its steps is missed.
        let news = try await client.news()
        printer.event(
            "service", ["state": "running", "process": .number(Int(holder.processID))],
            sentence: .tr("Parley is running already and makes the call; it may ask you in its window."))
        let id = try await dial(client)
        printer.event(
            "dialing", ["call": .string(id), "contact": .string(contact), "media": .string(media.rawValue)],
            sentence: .tr("Calling %s…", contact))
        let following = Task { try await follow(id, news, client) }
        let result = try await withTaskCancellationHandler {
            try await following.value
        } onCancel: {
            Task { try await client.hangUp(id) }
        }
        guard result == CallSummary.completed else { throw ExitCode.failure }
    }

    /// Waits for the person to agree, unless they have had enough of it.
    private func dial(_ client: CallsClient) async throws -> String {
        let (answers, answer) = AsyncThrowingStream<String, any Error>.makeStream()
        Task { [contact, media] in
            do {
                answer.yield(try await client.dial(contact, video: media == .video))
            } catch {
                answer.finish(throwing: error)
            }
        }
        for try await id in answers { return id }
        throw CancellationError()
    }

    /// - Returns: The result, as a call's summary has it.
    private func follow(_ id: String, _ news: AsyncStream<CallNews>, _ client: CallsClient) async throws -> String {
        var steps = ServiceCallSteps()
        var timers: [Task<Void, any Error>] = []
        defer { for timer in timers { timer.cancel() } }
        let ringing = ringTime.map { Self.hangUp(id, client, after: $0) }
        if let ringing { timers.append(ringing) }
        for await item in news {
            guard case .call(let call) = item, call.id == id else {
                if item == .removed(id: id) { break }
                continue
            }
            let wasActive = steps.wasActive
            for step in steps.update(call) {
                let fields: EventPrinter.Fields = [
                    "call": .string(id), "contact": step.reason == nil ? .string(contact) : nil,
                    "reason": step.reason.map { .string($0) },
                    "message": step.reason.map { _ in .string(step.sentence) },
                ].compactMapValues { $0 }
                printer.event(step.event, fields, sentence: PlainLine(step.sentence))
            }
            if call.state != .calling { ringing?.cancel() }
            if steps.wasActive, !wasActive, let talkTime {
                timers.append(Self.hangUp(id, client, after: talkTime))
            }
            if let result = steps.result {
                printer.last(
                    "summary", ["call": .string(id), "contact": .string(contact), "result": .string(result)],
                    sentence: nil)
                return result
            }
        }
        throw ServiceError.ended
    }

    private static func hangUp(_ id: String, _ client: CallsClient, after time: Duration) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: time)
            try await client.hangUp(id)
        }
    }
}

/// What is told of a call that another process makes. Pure.
struct ServiceCallSteps {
    /// One line.
    struct Step: Equatable {
        var event: String
        var sentence: String
        /// Why the call ended.
        var reason: String?
    }

    private var state = CallFacts.State.calling
    /// Whether the two were connected.
    private(set) var wasActive = false
    /// What became of the call; nil until it has ended.
    private(set) var result: String?

    /// Looks at the call; gives what is new.
    mutating func update(_ call: CallFacts) -> [Step] {
        guard call.state != state, result == nil else { return [] }
        defer { state = call.state }
        switch call.state {
        case .ringing, .calling: return []
        case .connecting: return [Step(event: "accepted", sentence: tr("The call was accepted."))]
        case .reconnecting: return [Step(event: "reconnecting", sentence: tr("Reconnecting…"))]
        case .active:
            defer { wasActive = true }
            return wasActive
                ? [Step(event: "reconnected", sentence: tr("Connected again."))]
                : [Step(event: "active", sentence: tr("The call is on."))]
        case .ended:
            let reason = CallEndReason(rawValue: call.endReason)
            let isOver = reason == .hungUp || reason == .peerHungUp
            result = !isOver ? call.endReason : wasActive ? CallSummary.completed : "notConnected"
            return [
                Step(event: "ended", sentence: reason?.sentence ?? tr("The call has ended."), reason: call.endReason)
            ]
        }
    }
}
