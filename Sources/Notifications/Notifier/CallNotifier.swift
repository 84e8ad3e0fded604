import BaseKit
import Portal

/// Tells of calls through the desktop's notification server, and of missed ones through whoever keeps them beyond the program's end: does what ``RingingNotification`` and ``MissedCallNotifications`` want.
///
/// Connects to the bus when there is something to tell for the first time. Without bus or server nothing is shown, and nothing fails.
@MainActor package final class CallNotifier {
    /// A notification of missed calls, for so many of them.
    package typealias Description = @MainActor (Int) -> DesktopNotification
    /// The same as one that outlives the program.
    package typealias LastingDescription = @MainActor (Int) -> LastingNotification

    /// Is told whom the person wants to call back, with what lets a window come to the front.
    package var onCallBack: (_ person: String, _ token: String?) -> Void = { _, _ in }
    /// Is told that the person wants to see the program, of whom they were told, and what lets a window come to the front.
    package var onOpen: (_ person: String, _ token: String?) -> Void = { _, _ in }
    /// Is told why something was not shown, for the log.
    package var onTrouble: (NotificationError) -> Void = { _ in }

    /// One call that rings.
    private final class Ringing {
        var machine: RingingNotification
        let onAnswer: @MainActor (RingingNotification.Answer, String?) -> Void

        init(
            _ machine: RingingNotification,
            _ onAnswer: @escaping @MainActor (RingingNotification.Answer, String?) -> Void
        ) {
            self.machine = machine
            self.onAnswer = onAnswer
        }
    }

    private let sender: NotificationSender
    private let now: @MainActor () -> Instant
    private let openBus: @Sendable () async throws(PortalError) -> Bus
    private var server: NotificationServer?
    private var present: NotificationFeatures?
    /// Tells whoever waits for a server that one has come, or, with nil, that none does.
    private let arrivals = Broadcaster<NotificationFeatures?>()
    private var reading: Task<Void, Never>?
    private var keeper: NotificationKeeper?
    private var watching: Task<Void, Never>?
    /// What is asked of the server, one after the other.
    private var line: Task<Void, Never>?
    private var ringing: Ringing?
    private var missed = MissedCallNotifications()
    private var descriptions: [String: (here: Description, lasting: LastingDescription?)] = [:]

    /// Prepares it for a program; nothing is connected yet. `now` and `openBus` are the machine's clock and the session bus.
    package init(
        for sender: NotificationSender, now: @escaping @MainActor () -> Instant = { .now },
        openBus: @escaping @Sendable () async throws(PortalError) -> Bus = { () async throws(PortalError) in
            try await Bus.session()
        }
    ) {
        self.sender = sender
        self.now = now
        self.openBus = openBus
    }

    isolated deinit {
        reading?.cancel()
        watching?.cancel()
    }

    // MARK: A call that rings

    /// Tells of a call until ``stopRinging()``. `onAnswer` is told what the person wants, of this call and while it rings only, with
    /// what lets a window come to the front. With normal urgency it disturbs less: servers put it where they put everything.
    package func ring(
        _ text: RingingNotification.Text, picture: NotificationPicture? = nil,
        urgency: DesktopNotification.Urgency = .critical,
        onAnswer: @escaping @MainActor (RingingNotification.Answer, String?) -> Void
    ) {
        stopRinging()
        let call = Ringing(RingingNotification(text, picture: picture, urgency: urgency), onAnswer)
        ringing = call
        perform(call.machine.begin(hasServer: present != nil), of: call)
    }

    /// No call rings any more.
    package func stopRinging() {
        guard let call = ringing else { return }
        ringing = nil
        perform(call.machine.end(), of: call)
    }

    private func perform(_ effects: [RingingNotification.Effect], of call: Ringing) {
        for effect in effects {
            switch effect {
            case .show(let notification, let sending):
                send(notification, sending) { [self] id in
                    perform(call.machine.shown(sending, as: id, at: now()), of: call)
                } onFailure: { [self] in
                    perform(call.machine.notShown(sending), of: call)
                }
            case .close(let id): close(id)
            case .startServer: connect()
            case .answer(let answer, let token): call.onAnswer(answer, token)
            }
        }
    }

    // MARK: Missed calls

    /// Tells that one more call of a person was missed; where somebody keeps notifications, as `lasting` says: its buttons work beyond
    /// the program's end. Elsewhere it stands on without buttons then, or not at all if not `isLeft`.
    package func missed(
        _ person: String, describe: @escaping Description, lasting: LastingDescription? = nil, isLeft: Bool = true
    ) {
        descriptions[person] = (describe, lasting)
        perform(missed.missed(person, isLasting: lasting != nil, isLeft: isLeft))
    }

    /// The person has seen what was missed.
    package func seen() { perform(missed.seen()) }

    /// The person has seen what was missed of somebody.
    package func seen(_ person: String) { perform(missed.seen(person)) }

    private func perform(_ effects: [MissedCallNotifications.Effect]) {
        for effect in effects {
            switch effect {
            case .show(let person, let count, let sending):
                guard let describe = descriptions[person]?.here else { continue }
                send(describe(count), sending, of: person)
            case .leave(let person, let count, let sending):
                guard var notification = descriptions[person]?.here(count) else { continue }
                notification.actions = []
                send(notification, sending, of: person)
            case .close(let id): close(id)
            case .keep(let person, let count, let owner):
                guard let describe = descriptions[person]?.lasting else { continue }
                keep(describe(count), of: person, at: owner)
            case .discard(let person, let owner):
                guard let keeper else { continue }
                ask { _ in try? await keeper.remove(Self.name(of: person), at: owner) }
            case .startServer: connect()
            case .callBack(let person, let token): onCallBack(person, token)
            case .open(let person, let token): onOpen(person, token)
            }
        }
    }

    private func send(_ notification: DesktopNotification, _ sending: NotificationSending, of person: String) {
        send(notification, sending) { [self] id in
            perform(missed.shown(person, sending, as: id, at: now()))
        } onFailure: { [self] in
            perform(missed.notShown(person, sending))
        }
    }

    /// What a person's notification is called where it is kept: the same after a new start of the program.
    private static func name(of person: String) -> String { "missed-" + person }

    private func keep(_ notification: LastingNotification, of person: String, at owner: String) {
        guard let keeper else { return }
        ask { notifier in
            do throws(NotificationError) {
                try await keeper.add(notification, as: Self.name(of: person), at: owner)
            } catch {
                notifier.onTrouble(error)
                notifier.perform(notifier.missed.notKept(person, by: owner))
            }
        }
    }

    // MARK: The server

    /// What the server can do; nil when there is none, or it has not said so after `limit`. Has one started where the bus knows how.
    package func features(within limit: Duration = .seconds(1)) async -> NotificationFeatures? {
        if let present { return present }
        let arrivals = arrivals.stream()
        connect()
        let arrival = Task { () -> NotificationFeatures? in
            for await features in arrivals { return features }
            return nil
        }
        let alarm = Task {
            try? await Task.sleep(for: limit)
            arrival.cancel()
        }
        defer { alarm.cancel() }
        return await withTaskCancellationHandler {
            await arrival.value
        } onCancel: {
            arrival.cancel()
        }
    }

    /// Takes back what is not to outlive the program, and leaves the bus. A server that does not answer is given a second.
    package func close() async {
        stopRinging()
        perform(missed.end())
        let telling = Task {
            // What is shown only now is taken back behind it.
            while let last = line {
                await last.value
                if line == last { return }
            }
        }
        await wait(forEndOf: telling, within: .seconds(1))
        reading?.cancel()
        watching?.cancel()
        server = nil
        keeper = nil
    }

    private func connect() {
        if let server { return ask { _ in await server.start() } }
        guard reading == nil else { return }
        reading = Task { [weak self, sender, openBus] in
            do throws(NotificationError) {
                let bus = try await Self.bus(openBus)
                // First: what is kept need not be shown by the server before.
                self?.watch(try await NotificationKeeper.find(on: bus, for: sender))
                let server = try await NotificationServer.find(on: bus, for: sender)
                self?.server = server
                for await event in server.events { self?.receive(event) }
            } catch {
                self?.onTrouble(error)
            }
            self?.leave()
        }
    }

    private func watch(_ keeper: NotificationKeeper) {
        self.keeper = keeper
        perform(missed.keeper(is: keeper.owner))
        watching = Task { [weak self] in
            for await change in keeper.changes {
                guard let self else { return }
                perform(missed.keeper(is: NotificationKeeper.owner(after: change)))
            }
        }
    }

    private func leave() {
        watching?.cancel()
        keeper = nil
        perform(missed.keeper(is: nil))
        server = nil
        reading = nil
        present = nil
        arrivals.send(nil)
    }

    private nonisolated static func bus(
        _ open: @Sendable () async throws(PortalError) -> Bus
    ) async throws(NotificationError) -> Bus {
        do throws(PortalError) { return try await open() } catch { throw NotificationError(error) }
    }

    private func receive(_ event: NotificationEvent) {
        switch event {
        case .came(let features):
            present = features
            arrivals.send(features)
        case .left: present = nil
        case .closed, .pressed, .token: break
        }
        let now = now()
        if let ringing { perform(ringing.machine.receive(event, at: now), of: ringing) }
        perform(missed.receive(event, at: now))
    }

    private func send(
        _ notification: DesktopNotification, _ sending: NotificationSending,
        onNumber: @escaping @MainActor (UInt32) -> Void, onFailure: @escaping @MainActor () -> Void
    ) {
        guard let server else { return onFailure() }
        ask { notifier in
            do throws(NotificationError) {
                onNumber(try await server.show(notification, replacing: sending.replacing))
            } catch {
                notifier.onTrouble(error)
                onFailure()
            }
        }
    }

    private func close(_ id: UInt32) {
        guard let server else { return }
        ask { _ in await server.close(id) }
    }

    private func ask(_ body: @escaping @MainActor (CallNotifier) async -> Void) {
        line = Task { [earlier = line] in
            await earlier?.value
            await body(self)
        }
    }
}
