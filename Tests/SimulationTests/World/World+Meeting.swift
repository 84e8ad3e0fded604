@testable import Agent

// How two people become connected, as an application does it: again and again until it is done.
extension World {
    func meet() {
        let (first, second) = (people[0], people[1])
        for person in people {
            person.onEvent = { [unowned self, unowned person] event in heard(event, person) }
        }
        guard mix.fromHandshake else { return }
        let (meeting, clock) = (mix.meeting, WorldClock(scheduler: scheduler))
        let box = Unchecked(self)
        first.onStart = { [unowned first] in
            guard first.connection == nil, first.linkOwner == nil else { return }
            first.perform { person, life in
                while !life.isOver {
                    do {
                        let made: (ConnectionID, String)
                        switch meeting {
                        case .fast: made = try await life.agent.makeInvitation()
                        case .classic: made = try await life.agent.makeInvitation(isFast: false)
                        case .address:
                            let address = try await life.agent.makeAddress()
                            made = (address.id, address.link)
                        }
                        guard !life.isOver else { return }
                        person.linkOwner = made.0
                        if meeting != .address { person.connection = made.0 }
                        box.value.link = made.1
                        box.value.join()
                        return
                    } catch {
                        try? await clock.sleep(milliseconds: 2_000, isolation: nil)
                    }
                }
            }
        }
        second.onStart = { box.value.join() }
    }

    /// The second person opens the link, if it has one and has not.
    func join() {
        let person = people[1]
        guard let link, person.connection == nil else { return }
        let box = Unchecked(self)
        person.perform { person, life in
            do {
                // A process that died after the agent had stored it may not know.
                let known = try await life.agent.connections().last?.id
                let connection =
                    if let known { known } else {
                        try await life.agent.join(link: link, info: Array("joiner".utf8))
                    }
                if !life.isOver { person.connection = connection }
            } catch AgentError.store {
                person.again(life) { _ in box.value.join() }
            } catch {
                if !life.isOver { person.network.complain("\(person.name) can't join: \(error)") }
            }
        }
    }

    private func heard(_ event: AgentEvent, _ person: Person) {
        switch event {
        case .confirmation(let connection, let information):
            guard !information.isEmpty else { return network.complain("an empty confirmation") }
            person.allow(connection)
        case .request(let request): person.accept(request)
        case .failed(_, nil, .undecryptable) where network.hasRepairedOver:
            network.note("\(person.name): a word for a ratchet that was replaced")
        case .failed(_, _, let error): network.complainUnlessTravelled("\(person.name): \(error)")
        case .integrityBroken(_, let integrity):
            network.complainUnlessTravelled("\(person.name): broken chain, \(integrity)")
        default: break
        }
    }
}

/// Carries a value of one world into tasks of the same world, which all run on its thread.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
