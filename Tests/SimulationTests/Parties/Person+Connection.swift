@testable import Agent

// What a person does with its connection, and how that one stands.
extension Person {
    func allow(_ connection: ConnectionID) {
        let delay = Int64(network.scheduler.number(0...2_000))
        let clock = WorldClock(scheduler: network.scheduler)
        perform { person, life in
            try? await clock.sleep(milliseconds: delay, isolation: nil)
            while !life.isOver {
                do {
                    return try await life.agent.allow(connection, info: Array("initiator".utf8))
                } catch AgentError.store {
                    // The agent asks again.
                    return
                } catch {
                    if !life.isOver { person.network.complain("\(person.name) can't allow: \(error)") }
                    return
                }
            }
        }
    }

    func accept(_ request: ContactRequest) {
        perform { person, life in
            do {
                let connection = try await life.agent.accept(request.id, info: Array("owner".utf8))
                if !life.isOver { person.connection = connection }
            } catch AgentError.store {
                person.again(life) { $0.accept(request) }
            } catch {
                if !life.isOver { person.network.complain("\(person.name) can't accept: \(error)") }
            }
        }
    }

    /// What the store did not take, a person tries again.
    func again(_ life: Life, _ body: @escaping (Person) -> Void) {
        network.scheduler.after(2_000) { if !life.isOver { body(self) } }
    }

    /// Whether the store knows that the application is done with a message.
    func hasAcknowledged(_ message: Int64) -> Bool {
        (try? store { try $0.received(message)?.isAcknowledged }) ?? false
    }

    /// After a death in the middle of `accept`: whatever the store has besides the address.
    func adopt() {
        guard connection == nil, linkOwner != nil else { return }
        perform { person, life in
            guard let known = try? await life.agent.connections().last?.id, !life.isOver else {
                return person.again(life) { $0.adopt() }
            }
            if person.connection == nil { person.connection = known }
        }
    }

    func moveQueue() {
        guard let connection else { return }
        perform { person, life in
            do {
                try await life.agent.moveQueue(of: connection)
            } catch AgentError.notReady, AgentError.store {
                return
            } catch AgentError.stopped where life.lastMemory != nil {
                // The program was just ended.
                return
            } catch {
                if !life.isOver { person.network.complain("\(person.name) can't move its queue: \(error)") }
            }
        }
    }

    func resynchronise() {
        guard let connection else { return }
        perform { person, life in
            do {
                try await life.agent.resynchronise(connection, force: true)
            } catch AgentError.notReady, AgentError.store {
                return
            } catch AgentError.stopped where life.lastMemory != nil {
                // The program was just ended.
                return
            } catch {
                if !life.isOver { person.network.complain("\(person.name) can't renew its ratchet: \(error)") }
            }
        }
    }

    private func store<Value>(_ body: (StoreTransaction) throws -> Value) throws -> Value {
        guard let life else { throw AgentError.stopped }
        return try life.store.read(body)
    }

    /// Whether this side waits for a new ratchet, or for the first message of one.
    var isRenewing: Bool {
        guard let connection, let record = try? store({ try $0.connection(connection) }) else { return false }
        return ![.ok, .allowed].contains(record.synchronisation)
    }

    /// What is under way still.
    func unsettled() throws -> [String] {
        guard let connection else { return ["\(name) has no connection"] }
        if life?.isStoreFailing == true { return ["\(name) was not told that its store works"] }
        return try store { transaction in
            guard let record = try transaction.connection(connection) else { return ["\(name) lost its connection"] }
            var faults: [String] = []
            if record.state != .connected { faults.append("is \(record.state)") }
            if record.rotation != .none { faults.append("moves its queue: \(record.rotation)") }
            if record.synchronisation != .ok, record.synchronisation != .agreed {
                faults.append("has ratchets that don't fit: \(record.synchronisation)")
            }
            let waiting = try transaction.deliveryEntries(of: connection)
            if !waiting.isEmpty { faults.append("has \(waiting.map(\.kind)) to send") }
            let received = try transaction.waitingMessages().count
            if received > 0 { faults.append("has \(received) messages to acknowledge") }
            if try transaction.receiveQueues(of: connection).count != 1 { faults.append("has several queues") }
            return faults.map { "\(name) \($0)" }
        }
    }

    func chains() throws -> Chains {
        guard let connection else { throw AgentError.unknownConnection }
        let stored = try store { try $0.connection(connection)?.chains }
        return try stored.map { try Chains(decoding: $0) } ?? Chains()
    }
}
