import BaseKit

/// What happens between two people nearby who may become contacts.
package enum MeetingNews: Equatable, Sendable {
    /// Show the person the code, and who the other one claims to be; then ``Meeting/confirm()`` or ``Meeting/refuse()``.
    case compare(code: String, name: String)
    /// Make a link for one person; then ``Meeting/give(link:)``.
    case makeLink
    /// Open this link; then ``Meeting/opened()``.
    case open(link: String)
    case finished
    case failed(PairingFailure)
}

/// A ``PairingMachine`` and its connection. It ends by itself after ``patience``.
package final class Meeting: Sendable {
    /// For two people to find each other and to compare six digits.
    private static let patience = Duration.seconds(180)

    /// What happens, in order, for one reader; it ends with the meeting.
    package let news: AsyncStream<MeetingNews>
    private let tell: AsyncStream<MeetingNews>.Continuation
    private let machine: Lock<PairingMachine>
    private let connection: PairingConnection
    private let tasks = Lock<[Task<Void, Never>]>([])

    init(_ machine: PairingMachine, _ connection: PairingConnection, patience: Duration = Meeting.patience) {
        self.machine = Lock(machine)
        self.connection = connection
        (news, tell) = AsyncStream.makeStream()
        let reading = Task { [weak self, messages = connection.messages] in
            for await message in messages { self?.step { $0.receive(message) } }
            self?.step { $0.lost() }
        }
        let ending = Task { [weak self] in
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            self?.step { $0.lost() }
        }
        tasks.withLock { $0 = [reading, ending] }
        step { $0.begin() }
    }

    deinit {
        for task in tasks.withLock({ $0 }) { task.cancel() }
        connection.close()
        tell.finish()
    }

    package var isOver: Bool { machine.withLock { $0.isOver } }

    /// The person says that both codes are equal.
    package func confirm() { step { $0.confirm() } }

    /// The person says that they are not, or does not want to go on.
    package func refuse() { step { $0.refuse() } }

    /// The link that was asked for.
    package func give(link: String) { step { $0.give(link: link) } }

    /// The link has been opened.
    package func opened() { step { $0.opened() } }

    private func step(_ body: (inout PairingMachine) -> [PairingMachine.Action]) {
        // What is sent and told keeps the order in which it was decided.
        machine.withLock { machine in
            for action in body(&machine) {
                switch action {
                case .send(let bytes): connection.send(bytes)
                case .compare(let code, let name): tell.yield(.compare(code: code, name: name))
                case .makeLink: tell.yield(.makeLink)
                case .open(let link): tell.yield(.open(link: link))
                case .finish: tell.yield(.finished)
                case .fail(let failure): tell.yield(.failed(failure))
                }
            }
            if machine.isOver {
                tell.finish()
                connection.close()
            }
        }
    }
}
