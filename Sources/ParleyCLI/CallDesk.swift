import BaseKit
import Calling
import Parley
import Wording

/// The calls of a command, one or several at once. Each is followed by itself; commands of the standard input reach the one that is
/// meant.
actor CallDesk {
    private let printer: EventPrinter
    /// Tries again what waits for a relay.
    private let retry: @Sendable () async -> Void
    /// Oldest first.
    private var calls: [Call] = []
    private var reading: Task<Void, Never>?
    /// Tones are sent one after the other.
    private var sending: Task<Void, Never>?
    /// In the order in which they were put on hold.
    private var held: [Call.ID] = []
    private let changes = Broadcaster<Void>()

    init(_ printer: EventPrinter, retry: @escaping @Sendable () async -> Void = {}) {
        (self.printer, self.retry) = (printer, retry)
    }

    deinit { reading?.cancel() }

    /// Follows a call to its end; when the task is cancelled, it hangs up and follows still.
    func follow(_ call: Call, _ follower: CallFollower) async -> CallSummary {
        calls.append(call)
        let watching = Task {
            for await state in call.states() {
                noteHold(call.id, state.hold.isHeldHere)
                changes.send(())
            }
        }
        let summary = await follower.follow(call)
        watching.cancel()
        calls.removeAll { $0.id == call.id }
        held.removeAll { $0 == call.id }
        changes.send(())
        return summary
    }

    /// Whether a call would be a second one.
    var isOccupied: Bool { calls.contains { $0.state.endReason == nil } }

    /// Tells whenever a call stands otherwise, or has gone.
    nonisolated func callChanges() -> AsyncStream<Void> { changes.stream(buffering: .bufferingNewest(1)) }

    /// Waits until every call is over, or the task is cancelled.
    func waitUntilFree() async {
        let changes = callChanges()
        guard isOccupied else { return }
        for await _ in changes where !isOccupied { return }
    }

    private func noteHold(_ id: Call.ID, _ isHeld: Bool) {
        guard isHeld != held.contains(id) else { return }
        if isHeld { held.append(id) } else { held.removeAll { $0 == id } }
    }

    // MARK: Commands

    /// Does what is typed, until this goes.
    func takeCommands() {
        reading = Task { [weak self] in
            for await line in StandardInput.lines() where !line.allSatisfy(\.isWhitespace) { await self?.perform(line) }
        }
    }

    private func perform(_ line: String) async {
        guard let command = CallCommand(line: line) else {
            return complain(
                calls.isEmpty ? Self.noCall : tr("“%1$s” is no command. There are: %2$s.", line, CallCommand.all))
        }
        if command == .retry { return await retry() }
        guard !calls.isEmpty else { return complain(Self.noCall) }
        guard let call = call(for: command) else { return complain(tr("No such call is on hold.")) }
        guard case .tones = command else {
            try? await command.perform(on: call, retry: retry)
            return
        }
        // Other commands need not wait for them.
        sending = Task { [printer, retry, previous = sending] in
            await previous?.value
            do {
                try await command.perform(on: call, retry: retry)
                printer.sentTones(to: call)
            } catch {
                if call.state.endReason == nil { printer.failed(error, of: call) }
            }
        }
    }

    private static var noCall: String { tr("There is no call; only “retry” is of use now.") }

    private func complain(_ sentence: String) {
        let call = calls.last.map { ["call": EventValue.string($0.id.description)] } ?? [:]
        printer.event(
            "unknownCommand", call.merging(["message": .string(sentence)]) { $1 }, sentence: PlainLine(sentence))
    }

    /// The one that a command is meant for: to go on with, one on hold; else the one that the person is in, or the newest.
    private func call(for command: CallCommand) -> Call? {
        if case .resume(let name) = command {
            let id = held.last { id in name == nil || calls.contains { $0.id == id && $0.contact.name == name } }
            // What is not on hold can't go on, and that is said nowhere.
            return calls.first { $0.id == id } ?? (name == nil ? calls.last : nil)
        }
        return calls.first { $0.state.isTakenPartIn } ?? calls.last
    }
}

extension CallState {
    /// Why it has ended; nil before.
    var endReason: CallEndReason? { if case .ended(let reason) = phase { reason } else { nil } }

    fileprivate var isTakenPartIn: Bool {
        switch phase {
        case .connecting, .active, .reconnecting: !hold.isHeldHere
        case .ringingOut, .ringingIn, .ended: false
        }
    }
}
